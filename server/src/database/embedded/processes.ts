import { readFileSync, readlinkSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { readFile, readlink, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { codeOf } from '../../base/files.ts'

/** The state of a process on this machine; `defunct`: it has ended, but its parent has not collected it. */
export type ProcessState = 'none' | 'defunct' | 'alive'

export async function processState(pid: number): Promise<ProcessState> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: the process exists and belongs to another account.
    if (codeOf(error) === 'ESRCH') return 'none'
  }
  return (await readStat(pid))?.state === 'Z' ? 'defunct' : 'alive'
}

/** The name of the program of a process; undefined where it is unknown (it is known only on Linux). */
export async function programOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const path = await readlink(`/proc/${pid}/exe`).catch(() => undefined)
  // The link of a program that has been replaced since ends in ' (deleted)'.
  if (path) return basename(path.replace(/ \(deleted\)$/, ''))
  return (await readStat(pid))?.name
}

async function readStat(pid: number) {
  if (process.platform !== 'linux') return undefined
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return parseStat(text)
}

/** Parses /proc/<pid>/stat. The name may contain spaces and brackets. */
export function parseStat(text: string) {
  const match = /^\d+ \((.*)\) (\S) (.*)$/s.exec(text.trim())
  if (!match) return undefined
  const [, name, state, rest] = match
  return { name, state, startTicks: Number(rest?.split(' ')[18]) || undefined }
}

const BEAT_MS = 2_000

/** A server that has not touched its record for so long is dead. */
const DEAD_AFTER_MS = 10_000

/**
 * Identifies a process for ever: its pid means something only in its pid namespace (a container has its own) and until
 * the next boot, and is given to another process after its end.
 */
const ProcessIdentity = z.object({
  pid: z.number(),
  /** The kernel's random id of the boot. */
  boot: z.string(),
  /** Such as `pid:[4026531836]`. The number of a namespace that has ended may be used again. */
  namespace: z.string(),
  /** When the process started, in hundredths of a second since the boot: independent of the clock. */
  startTicks: z.number(),
})

/**
 * What has become of a recorded process.
 * - `same`: the process with its pid is the recorded one.
 * - `ended`: it has ended; its pid may belong to another process now.
 * - `elsewhere`: it belonged to another boot or container, where its server runs (`beating`) or has ended.
 * - `unknown`: there is no record of that pid.
 */
export type Recorded = 'same' | 'ended' | 'elsewhere' | 'elsewhere, beating' | 'unknown'

function recordFile(dataDir: string): string {
  return join(dataDir, 'postgres-process')
}

/** Removes the record: to be called before a process is started that may get the same pid. */
export function removeRecord(dataDir: string): void {
  rmSync(recordFile(dataDir), { force: true })
}

/**
 * Records a new process, and touches the record while this process runs, until the returned function is called. Without
 * /proc, or where it cannot be written, there is no record.
 */
export function recordProcess(dataDir: string, pid: number | undefined): () => void {
  const file = recordFile(dataDir)
  try {
    const identity = pid && identify(pid)
    if (!identity) return () => {}
    writeFileSync(file, JSON.stringify(identity), { flag: 'wx', mode: 0o600 })
  } catch {
    return () => {}
  }
  const beat = () => {
    try {
      utimesSync(file, new Date(), new Date())
    } catch {
      // The folder was removed.
    }
  }
  const beating = setInterval(beat, BEAT_MS).unref()
  return () => clearInterval(beating)
}

/** What has become of the recorded process with that pid. */
export async function lookUpRecord(dataDir: string, pid: number): Promise<Recorded> {
  const file = recordFile(dataDir)
  try {
    const record = ProcessIdentity.parse(JSON.parse(await readFile(file, 'utf8')))
    const own = identify(process.pid)
    if (record.pid !== pid || !own) return 'unknown'
    if (record.boot !== own.boot || record.namespace !== own.namespace) {
      const age = Date.now() - (await stat(file)).mtimeMs
      return Math.abs(age) < DEAD_AFTER_MS ? 'elsewhere, beating' : 'elsewhere'
    }
    return identify(pid)?.startTicks === record.startTicks ? 'same' : 'ended'
  } catch {
    return 'unknown'
  }
}

/** Undefined where /proc does not tell, or when there is no such process. */
function identify(pid: number): z.infer<typeof ProcessIdentity> | undefined {
  try {
    const startTicks = parseStat(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.startTicks
    if (startTicks === undefined) return undefined
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return { pid, boot, namespace: readlinkSync('/proc/self/ns/pid'), startTicks }
  } catch {
    return undefined
  }
}
