import Testing

@testable import OpenWO

/// A row of the table of services: a name beside `workouts.sqlite` and what must be read from it.
struct KnownName: Sendable, CustomTestStringConvertible {
  var name: String
  var service: SyncService
  var strength: ConflictName.Strength = .strong
  var language: String?
  var date: String?
  var device: String?

  init(
    _ name: String, _ service: SyncService, _ strength: ConflictName.Strength = .strong,
    language: String? = nil, date: String? = nil, device: String? = nil
  ) {
    (self.name, self.service, self.strength) = (name, service, strength)
    (self.language, self.date, self.device) = (language, date, device)
  }

  var testDescription: String { "\(name) [\(service)]" }

  /// Names that were captured or documented, a row for each service, form and language.
  static let documented: [KnownName] = [
    .init("workouts.sync-conflict-20261121-003549-W42IXU7.sqlite", .syncthing, date: "20261121"),
    .init("workouts.sync-conflict-20151001-120000.sqlite", .syncthing, date: "20151001"),
    .init(
      "workouts (Ana Ruiz's conflicted copy 2026-11-21).sqlite", .dropbox, language: "en",
      date: "2026-11-21", device: "Ana Ruiz"),
    .init(
      "workouts (Anas in Konflikt stehende Kopie 2026-11-21).sqlite", .dropbox, language: "de",
      date: "2026-11-21", device: "Anas"),
    .init(
      "workouts (In Konflikt stehende Kopie von Ana 2026-11-21).sqlite", .dropbox, language: "de",
      date: "2026-11-21", device: "Ana"),
    .init(
      "workouts (Copie en conflit de Ana Ruiz 2026-11-21).sqlite", .dropbox, language: "fr",
      date: "2026-11-21", device: "Ana Ruiz"),
    .init(
      "workouts (Copia en conflicto de Ana Ruiz 2026-11-21).sqlite", .dropbox, language: "es",
      device: "Ana Ruiz"),
    .init(
      "workouts (Copia conflictiva de Ana Ruiz 2026-11-21).sqlite", .dropbox, language: "es",
      device: "Ana Ruiz"),
    .init(
      "workouts (Copia in conflitto di Ana Ruiz 2026-11-21).sqlite", .dropbox, language: "it",
      device: "Ana Ruiz"),
    .init(
      "workouts (Copia in conflitto di MBP-di-Marco.fritz.box 2026-10-08).sqlite", .dropbox,
      language: "it", date: "2026-10-08", device: "MBP-di-Marco.fritz.box"),
    .init(
      "workouts (Cópia em conflito de Ana Ruiz 2026-11-21).sqlite", .dropbox, language: "pt",
      device: "Ana Ruiz"),
    .init(
      "workouts (Cópia em conflito de Contabilidade Cajuru 2026-08-25 1).sqlite", .dropbox,
      language: "pt", device: "Contabilidade Cajuru"),
    .init(
      "workouts (アナ の競合コピー 2026-11-21).sqlite", .dropbox, language: "ja", device: "アナ"),
    .init(
      "workouts (ANA의 충돌된 사본 2026-11-21).sqlite", .dropbox, language: "ko", device: "ANA"),
    .init(
      "workouts (Конфликтующая копия пользователя Ana Ruiz 2026-11-21).sqlite", .dropbox,
      language: "ru", device: "Ana Ruiz"),
    .init(
      "workouts (Конфликтующая копия пользователя A M 2022-02-14 02_1.12.08 PM).sqlite", .dropbox,
      language: "ru", date: "2022-02-14", device: "A M"),
    .init("workouts (Case Conflict 1).sqlite", .dropbox),
    .init("workouts (Unicode Encoding Conflict).sqlite", .dropbox),
    .init("workouts (Selective Sync Conflict).sqlite", .dropbox),
    .init("workouts (normalization conflict).sqlite", .dropbox),
    .init("workouts (conflicting copy).sqlite", .maestral),
    .init("workouts (Ana’s conflicting copy 2026-11-21 2).sqlite", .maestral, device: "Ana"),
    .init(
      "workouts (conflicted copy 2026-11-21 004856).sqlite", .nextcloud, date: "2026-11-21"),
    .init("workouts (conflicted copy ana 2026-11-21 004856).sqlite", .nextcloud, device: "ana"),
    .init("workouts_conflict-20180410-093612.sqlite", .nextcloud, date: "20180410"),
    .init("workouts_conflict_ana-20180410-093612.sqlite", .nextcloud, device: "ana"),
    .init("workouts (case clash from 2026-11-21 004856).sqlite", .nextcloud),
    .init("workouts-DESKTOP-4F2K9QX.sqlite", .oneDrive),
    .init("workouts-LAPTOP-487LQ0T-2.sqlite", .oneDrive),
    .init("workouts-Neo.sqlite", .oneDrive, .weak, device: "Neo"),
    .init("workouts-myhost-safeBackup-0001.sqlite", .oneDriveLinux, device: "myhost"),
    .init("workouts-myhost-2.sqlite", .oneDrive, .weak),
    .init("workouts (1).sqlite", .googleDrive, .weak),
    .init("workouts [Conflict].sqlite", .googleDrive),
    .init("workouts 2.sqlite", .iCloudDrive, .weak),
    .init("workouts (ana@example.com).sqlite", .box),
    .init("workouts-copy of.sqlite", .box, .weak),
    .init(
      "workouts (SFConflict ana@example.com 2026-11-21-00-35-49).sqlite", .seafile,
      date: "2026-11-21", device: "ana@example.com"),
    .init("workouts.sqlite (SFConflict ana@example.com 2015-03-07-11-30-28)", .seafile),
    .init("workouts.Conflict.sqlite", .resilio),
    .init("workouts.Conflict.Conflict2.sqlite", .resilio),
    .init("workouts.sqlite.conflict1", .rclone),
    .init("workouts.2026-11-21-conflict1.sqlite", .rclone, date: "2026-11-21"),
    .init("workouts.sqlite..path1", .rclone),
    .init("workouts (conflict_on_2026-11-21).sqlite", .unison, date: "2026-11-21"),
    .init("workouts (conflict #1_on_2026-11-21).sqlite", .unison),
    .init("workouts (conflict_on_2026-11-21_was_deleted).sqlite", .unison),
    .init("workouts [conflicted].sqlite", .pCloud),
    .init("workouts [conflicted 2].sqlite", .pCloud),
    .init("workouts.sqlite.conflicted", .pCloud),
    .init("workouts_Andy-PC_Nov-21-0035-2026_Conflict.sqlite", .synology, device: "Andy-PC"),
    .init("workouts_Andy-PC_Jan-03-0901-2013_CaseConflict_1.sqlite", .synology),
    .init("workouts (# Edit conflict 2026-11-21 ujbaa9C #).sqlite", .proton, date: "2026-11-21"),
    .init("workouts (# Name Clash ujbaa9C #).sqlite", .proton),
    .init(
      "workouts(Conflict_ana (Web browser)_2020-03-25-22-50-36).sqlite", .fileCloud,
      device: "ana (Web browser)"),
    .init("workouts (edits by ana not merged 2013-01-11).sqlite", .ctera, device: "ana"),
    .init("workouts (ana’s conflict on 2013-01-11).sqlite", .ctera, device: "ana"),
    .init(
      "workouts (Conflicted copy 2015-10-01 for jsmith).sqlite", .securiSync, device: "jsmith"),
    .init("workouts - Conflict 1.sqlite", .jungleDisk),
    .init("workouts-conflict-2018-11-08T01_02_03.004Z.sqlite", .cozy, date: "2018-11-08"),
    .init("workouts.variant-1a2b.sqlite", .gitAnnex),
    .init("workouts (conflict).sqlite", .tresorit, .word),
    .init("workouts-conflict.sqlite", .syncCom, .word),
  ]

  /// Languages, orders and forms that nobody captured, but that nobody types either.
  static let alike: [KnownName] = [
    .init("workouts (conflicted copy 2026-11-21).sqlite", .dropbox, language: "en"),
    .init("workouts (Conflicted copy of Ana 2026-11-21 (2)).sqlite", .dropbox, language: "en"),
    .init(
      "workouts (Conflicterende kopie van Ana 2026-11-21).sqlite", .dropbox, language: "nl",
      device: "Ana"),
    .init(
      "workouts (kopia powodująca konflikt użytkownika Jan 2026-10-02).sqlite", .dropbox,
      language: "pl", device: "Jan"),
    .init("workouts (Ana 的冲突副本 2026-11-21).sqlite", .dropbox, language: "zh", device: "Ana"),
    .init("workouts (Ana 的衝突複本 2026-11-21).sqlite", .dropbox, language: "zh", device: "Ana"),
    .init("workouts (Anas konfliktkopia 2026-11-21).sqlite", .dropbox, language: "sv"),
    .init("workouts (Salinan konflik milik Ana 2026-11-21).sqlite", .dropbox, language: "id"),
    .init("workouts (สำเนาที่ขัดแย้งกันของ Ana 2026-11-21).sqlite", .dropbox, language: "th"),
    .init("workouts (Конфліктна копія Ana 2026-11-21).sqlite", .dropbox, language: "uk"),
    .init("workouts (Anan ristiriitainen kopio 2026-11-21).sqlite", .dropbox),
    .init("workouts (Ana çakışan kopyası 2026-11-21 1).sqlite", .dropbox),
    .init("workouts (Bản sao xung đột của Ana 2026-11-21).sqlite", .dropbox),
    .init("workouts (Αντίγραφο σε σύγκρουση 2026-11-21).sqlite", .dropbox),
    .init("workouts(Cong-Windows的冲突副本1_2026-06-26 02-11-37).sqlite", .unknown),
    .init("workouts (2026-11-21 conflict Ana).sqlite", .unknown),
    .init("workouts (CONFLICT 20231005T070858).sqlite", .unknown, date: "20231005"),
    .init("workouts (DESKTOP-X conflict 2023-04-02).sqlite", .dropbox, date: "2023-04-02"),
    .init("workouts-conflict-20231005.sqlite", .unknown),
    .init("workouts_myphone_conflict_2026-11-21.sqlite", .unknown),
    .init("workouts.2026-11-21-conflict.sqlite", .unknown),
    .init("workouts.conflict3.sqlite", .rclone),
  ]
}
