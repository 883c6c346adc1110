// @ts-check
// Imported first by every command, for its effect: an old Node would otherwise fail later with a
// message that says nothing about the version.
const OLDEST = [20, 19]

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
const [oldestMajor = 0, oldestMinor = 0] = OLDEST
if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
  console.error(`Bancone needs Node ${OLDEST.join('.')} or newer; this is ${process.version}.`)
  process.exit(1)
}
