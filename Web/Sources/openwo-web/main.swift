import OpenWOWeb

await WebProgram.run()
