/// A folder-sync service between the devices of a world.
///
/// It moves one file at a time, when a move of the run says so, and never looks at what openwo knows.
protocol Service {
  var style: ServiceStyle { get }

  /// Takes one local change of the device; false when there was none.
  mutating func takeChange(of device: Device, _ number: Int, in world: World) -> Bool
  /// Brings one change to the device; false when there was none.
  mutating func bringChange(to device: Device, _ number: Int, in world: World) -> Bool
  /// Completes one arrival; false when nothing was on its way.
  mutating func completeArrival(on device: Device, _ number: Int, in world: World) -> Bool
  /// Delivers an older form of the live file once more.
  mutating func repeatDelivery(to device: Device, _ number: Int, in world: World)
  /// Brings a removed file back.
  mutating func resurrect(_ number: Int, on device: Device, in world: World)
  /// Takes the content of a file away and leaves its name.
  mutating func evict(_ number: Int, from device: Device, in world: World)
  /// A device's disk, with what the service knows there, becomes that of another one.
  mutating func clone(_ other: Device, to device: Device)
}

/// A file that is on its way to a device: not all of it is there.
struct Arrival {
  var path: Int
  var value: Int
  var modified: Int64
  /// The file that is being written into; nil: the name is to be taken.
  var inode: Int?
  /// The revision that the service records once the file is there.
  var revision: Int
}

/// How files arrive, the same for all services.
extension ServiceStyle {
  /// The modification time that a received file gets.
  func modified(_ sent: Int64, on device: Device, in world: World) -> Int64 {
    switch time {
    case .kept: sent
    case .seconds: sent / 1000 * 1000
    case .arrival: world.now(device)
    }
  }

  /// Puts a received file there, at once or in two steps.
  ///
  /// - Returns: What is left to be done; nil if the file is there.
  func deliver(
    _ value: Int, modified sent: Int64, to path: Int, on device: Device, revision: Int,
    number: Int, in world: World
  ) -> Arrival? {
    let modified = modified(sent, on: device, in: world)
    world.tell(.delivered, device, path, value)
    world.explain(device, "gets \(world.paths[path]) = \(value)")
    var arrival = Arrival(path: path, value: value, modified: modified, revision: revision)
    let old = device.folder[path]
    // One file in three takes its time.
    switch number % 3 == 0 ? delivery : .rename {
    case .rename where kind == .placeholder && old == nil && number % 2 == 0:
      var file = world.newFile(value, on: device, modified: modified)
      file.isPlaceholder = true
      world.put(file, at: path, on: device)
      arrival.inode = file.inode
      return arrival
    case .gap where old != nil:
      world.put(nil, at: path, on: device)
      return arrival
    case .inPlace where !device.isCommitting && device.log == nil:
      arrival.inode = world.writeHalf(value, over: old, at: path, modified, on: device)
      return arrival
    case .rename, .gap, .inPlace:
      world.put(world.newFile(value, on: device, modified: modified), at: path, on: device)
      return nil
    }
  }

  /// Completes an arrival.
  ///
  /// - Returns: Whether the device has the file now; false when the name was taken meanwhile.
  func complete(_ arrival: Arrival, on device: Device, in world: World) -> Bool {
    let path = arrival.path
    guard let inode = arrival.inode else {
      guard device.folder[path] == nil else { return false }
      let file = world.newFile(arrival.value, on: device, modified: arrival.modified)
      world.put(file, at: path, on: device)
      return true
    }
    let place =
      device.folder[path]?.inode == inode ? path : world.path(ofInode: inode, on: device)
    guard let place else { return false }
    let file = world.newFile(arrival.value, on: device, modified: arrival.modified, inode: inode)
    world.put(file, at: place, on: device)
    return place == path
  }
}

extension World {
  /// Writes the first half of a file over another one.
  ///
  /// - Returns: The file that is being written.
  func writeHalf(
    _ value: Int, over old: File?, at path: Int, _ modified: Int64, on device: Device
  ) -> Int {
    var file = newFile(value, on: device, inode: old?.inode)
    if paths[path].isCompanion {
      file.isPiece = true
    } else {
      file.value = pool.add(Rows(), isWhole: false)
    }
    put(file, at: path, on: device)
    return file.inode
  }
}

extension Device {
  /// Whether openwo holds SQLite's lock for a transaction.
  var isTransacting: Bool { operation?.isTransacting ?? false }

  /// Whether openwo is between the beginning of a transaction and its capture.
  ///
  /// A writer in place without locks can tear any SQLite database within these milliseconds; that
  /// is not simulated.
  var isCommitting: Bool { operation?.isCommitting ?? false }
}
