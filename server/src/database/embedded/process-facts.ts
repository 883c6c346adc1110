import { readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf } from './folders.ts'

/** A process id as this machine knows it; `defunct` has ended and its parent has not noticed. */
export type ProcessState = 'none' | 'defunct' | 'alive'

export async function processState(pid: number): Promise<ProcessState> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    // EPERM: it is there and belongs to somebody else.
    if (codeOf(error) === 'ESRCH') return 'none'
  }
  return (await readStat(pid))?.state === 'Z' ? 'defunct' : 'alive'
}

/** The program that the process runs; undefined where the system does not say (only Linux does). */
export async function programOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  const path = await readlink(`/proc/${pid}/exe`).catch(() => undefined)
  // The link of a program that was updated since then ends in ' (deleted)'.
  if (path) return basename(path.replace(/ \(deleted\)$/, ''))
  return (await readStat(pid))?.name
}

/** When the process started, in Unix seconds, to about a second; undefined where unknown. */
export async function startOf(pid: number): Promise<number | undefined> {
  const ticks = (await readStat(pid))?.startTicks
  if (!ticks) return undefined
  const text = await readFile('/proc/stat', 'utf8').catch(() => '')
  const boot = Number(/^btime (\d+)$/m.exec(text)?.[1])
  // Linux counts a hundred ticks a second towards programs, whatever its own clock does.
  return boot > 0 ? boot + ticks / 100 : undefined
}

async function readStat(pid: number) {
  if (process.platform !== 'linux') return undefined
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return parseStat(text)
}

/** The parts we need of /proc/<pid>/stat; the name may itself hold spaces and brackets. */
export function parseStat(text: string) {
  const match = /^\d+ \((.*)\) (\S) (.*)$/s.exec(text.trim())
  if (!match) return undefined
  const [, name, state, rest] = match
  return { name, state, startTicks: Number(rest?.split(' ')[18]) || undefined }
}
