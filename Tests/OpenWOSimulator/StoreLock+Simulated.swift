import OpenWO

extension StoreLock {
  /// A person's lock.
  init(id: String, device: String, since: Timestamp, until: Timestamp?) {
    self.init(
      id: id, device: device, deviceName: device, user: "ana", host: device, program: "openwo",
      since: since, until: until)
  }
}
