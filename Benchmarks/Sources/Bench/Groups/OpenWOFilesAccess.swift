import OpenWOFiles

/// The real file system of the product.
enum OpenWOFilesAccess {
  static var fileSystem: FileSystem { FileSystem() }
}
