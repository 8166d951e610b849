/// One command: a small value that is made for one call of a store and reads as the command does.
///
/// It observes, asks a pure decision what follows, and acts. A dry run ends with the decision.
protocol StoreCommand: StorePart {}
