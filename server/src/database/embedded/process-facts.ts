import { readFile, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { codeOf } from './folders.ts'

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

/** When the process started, in Unix seconds, to about a second; undefined where unknown. */
export async function startOf(pid: number): Promise<number | undefined> {
  const ticks = (await readStat(pid))?.startTicks
  if (!ticks) return undefined
  const text = await readFile('/proc/stat', 'utf8').catch(() => '')
  const boot = Number(/^btime (\d+)$/m.exec(text)?.[1])
  // Linux reports times to programs in ticks of 10 ms, regardless of the kernel's clock.
  return boot > 0 ? boot + ticks / 100 : undefined
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
