import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { StartupError } from '../../startup-error.ts'

/** The account that PostgreSQL runs as; undefined means our own. */
export type Account = { uid: number; gid: number }

export const runsAsRoot = process.getuid?.() === 0

/**
 * An unprivileged account of this machine, for PostgreSQL refuses to run as root. It must be in
 * /etc/passwd, because initdb looks up its name.
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

/** The account of that name in the text of /etc/passwd, unless it is root under another name. */
export function findInPasswd(text: string, name: string): Account | undefined {
  const fields = text
    .split('\n')
    .map((line) => line.split(':'))
    .find(([found]) => found === name)
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  return Number.isInteger(uid) && Number.isInteger(gid) && uid > 0 ? { uid, gid } : undefined
}

/** True when the account can pass into the folder: tried, for only the system knows all its rules. */
export async function canEnter(folder: string, account: Account | undefined): Promise<boolean> {
  if (process.platform === 'win32') return true
  return (await run('/bin/sh', ['-c', 'cd "$0"', folder], { account })).ok
}

/** Runs a program to its end, with none of our environment's secrets; never throws. */
export function run(
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

/** What a child of ours gets to see: no secret, no PG variable, messages in English. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  // oxlint-disable-next-line node/no-process-env -- passed on by name; nothing here reads a setting.
  const passed = Object.entries(process.env).filter(([name]) => kept.includes(name))
  return { ...Object.fromEntries(passed), LC_ALL: 'C', TZ: 'UTC' }
}
