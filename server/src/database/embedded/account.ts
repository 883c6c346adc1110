import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { StartupError } from '../../base/startup-error.ts'

/** The system account that PostgreSQL runs as; undefined means the account of this process. */
export type Account = { uid: number; gid: number }

export const runsAsRoot = process.getuid?.() === 0

/**
 * Finds an unprivileged system account, because PostgreSQL refuses to run as root. It must be in /etc/passwd, because
 * initdb looks up its name.
 */
export async function findAccount(): Promise<Account> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  const account = findInPasswd(text, 'postgres') ?? findInPasswd(text, 'nobody')
  if (!account) {
    throw new StartupError(
      "PostgreSQL does not run as root, and there is no account 'postgres' or 'nobody' to run it " +
        'as: start Bancone as an ordinary user, or set DATABASE_URL',
    )
  }
  return account
}

/** Finds an account by name in the text of /etc/passwd, unless its uid is 0. */
export function findInPasswd(text: string, name: string): Account | undefined {
  const fields = text
    .split('\n')
    .map((line) => line.split(':'))
    .find(([found]) => found === name)
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  return Number.isInteger(uid) && Number.isInteger(gid) && uid > 0 ? { uid, gid } : undefined
}

/** Whether the account can enter the folder. Tested by trying, because permissions depend on more than modes. */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (process.platform === 'win32') return true
  return (await runProgram('/bin/sh', ['-c', 'cd "$0"', folder], { account })).ok
}

/** Runs a program to completion, without the secrets of this process's environment; never throws. */
export function runProgram(
  file: string,
  args: string[],
  { account, timeout = 60_000 }: { account: Account | undefined; timeout?: number },
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const cwd = process.platform === 'win32' ? undefined : '/'
    execFile(file, args, { ...account, cwd, env: cleanEnvironment(), timeout }, (error, out, err) =>
      resolve({ ok: !error, output: `${out}${err}`.trim() || (error?.message ?? '') }),
    )
  })
}

const kept = ['PATH', 'LD_LIBRARY_PATH', 'DYLD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'TMP']

/** The environment of child processes: no secrets, no PG variables, messages in English. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- passed on by name; nothing here reads a setting.
  const passed = Object.entries(process.env).filter(([name]) => kept.includes(name))
  return { ...Object.fromEntries(passed), LC_ALL: 'C', TZ: 'UTC' }
}
