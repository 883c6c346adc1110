import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Account } from '../../server/src/database/embedded/account.ts'

/** A program that a machine runs, as its unit of systemd would. */
export type Service = {
  name: string
  command: [file: string, ...args: string[]]
  env?: Record<string, string>
  account?: Account | undefined
  /** It ends within that many seconds after SIGTERM. */
  stopSeconds?: number
}

/**
 * A machine of the drill: an address of the loopback, and a folder in which all of its processes work. PostgreSQL works in
 * its data folder, so that its processes are found there, too.
 */
export type Machine = {
  name: string
  address: string
  folder: string
  start(service: Service): void
  /** Starts everything that was ended. */
  restart(): void
  /** As a power cut. */
  kill(): Promise<void>
  /** All processes of the machine, or those in a folder of it, do nothing and close nothing. */
  freeze(folder?: string): Promise<void>
  thaw(): Promise<void>
  /** Ends a service in order. @returns the exit code */
  stop(name: string): Promise<number | null>
  /** Services that ended by themselves and were started again. */
  ended(): string[]
}

/** As systemd's RestartSec of the server. */
const RESTART_MS = 2_000

type Running = { service: Service; child: ChildProcess | undefined }

export function createMachine(name: string, address: string, folder: string): Machine {
  const services = new Map<string, Running>()
  const ended: string[] = []
  let isUp = true

  function run(running: Running): void {
    const { service } = running
    const [file, ...args] = service.command
    const log = openSync(join(folder, `${service.name}.log`), 'a')
    const { PATH = '' } = process.env
    const child = spawn(file, args, {
      ...service.account,
      cwd: folder,
      // Not of the terminal's group: Ctrl-C is for the drill, which then ends them.
      detached: true,
      env: { PATH, HOME: folder, LC_ALL: 'C', TZ: 'UTC', ...service.env },
      stdio: ['ignore', log, log],
    })
    closeSync(log)
    running.child = child
    child.once('error', (error) => ended.push(`${name} ${service.name}: ${error.message}`))
    child.once('exit', (code, signal) => {
      if (!isUp || running.child !== child) return
      ended.push(`${name} ${service.name}: ${code ?? signal}`)
      setTimeout(() => {
        if (isUp && running.child === child) run(running)
      }, RESTART_MS)
    })
  }

  async function signalAll(signal: NodeJS.Signals, place = folder): Promise<void> {
    const signalled = new Set<number>()
    // A process that was just made is found by the next look.
    for (;;) {
      const found = (await processesIn(place)).filter((pid) => !signalled.has(pid))
      if (found.length === 0) return
      for (const pid of found) {
        signalled.add(pid)
        try {
          process.kill(pid, signal)
        } catch {
          // It has ended by itself.
        }
      }
    }
  }

  return {
    name,
    address,
    folder,
    start(service) {
      const running: Running = { service, child: undefined }
      services.set(service.name, running)
      run(running)
    },
    restart() {
      isUp = true
      for (const running of services.values()) if (!running.child) run(running)
    },
    async kill() {
      isUp = false
      for (const running of services.values()) running.child = undefined
      await signalAll('SIGKILL')
      while ((await processesIn(folder)).length > 0) await pause(20)
    },
    freeze: (place) => signalAll('SIGSTOP', place),
    thaw: () => signalAll('SIGCONT'),
    async stop(wanted) {
      const running = services.get(wanted)
      const child = running?.child
      if (!running || !child) throw new Error(`${name} has no ${wanted}`)
      running.child = undefined
      child.kill('SIGTERM')
      const until = Date.now() + (running.service.stopSeconds ?? 30) * 1_000
      while (child.exitCode === null && child.signalCode === null) {
        if (Date.now() > until) child.kill('SIGKILL')
        await pause(20)
      }
      return child.exitCode
    },
    ended: () => ended,
  }
}

/** The ids of processes that work in a folder. Zombies work nowhere. */
async function processesIn(folder: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const place = await readlink(`/proc/${pid}/cwd`).catch(() => '')
      return place === folder || place.startsWith(`${folder}/`) ? [Number(pid)] : []
    }),
  )
  return found.flat()
}
