import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StartupError } from '../../startup-error.ts'
import { cleanEnvironment, runsAsRoot } from './account.ts'
import { findBinaries } from './binaries.ts'
import { databaseName } from './first-start.ts'
import { type ClusterLocation, systemFolder } from './location.ts'
import { settingsArguments } from './settings.ts'

/** The copy is of another major version of PostgreSQL than the package. */
export class OtherVersionError extends StartupError {}

/** Only those who know the password, and only from this machine. */
const HBA = 'host all all 127.0.0.1/32 scram-sha-256\nhost all all ::1/128 scram-sha-256\n'

/**
 * Makes the copy of an operator's database one that the embedded PostgreSQL can serve: with its own settings, and with the
 * account and the name that it expects. It is recovered on the way, in single-user mode, which needs no password.
 *
 * @param database the name of the application's database in the copy
 * @throws OtherVersionError, StartupError
 */
export async function adoptCluster(
  location: ClusterLocation,
  database: string,
  password: string,
  settings: Record<string, string>,
): Promise<void> {
  const { account, cluster, dataDir } = location
  const binaries = await findBinaries(account, runsAsRoot ? systemFolder : dataDir)
  const version = (await readFile(join(cluster, 'PG_VERSION'), 'utf8')).trim()
  if (version !== binaries.major) {
    throw new OtherVersionError(
      `The copy is of PostgreSQL ${version} and this version brings ${binaries.major}: ` +
        'a PostgreSQL of yours can serve it, see docs/operations.md.',
    )
  }
  // Written over, and so still owned by PostgreSQL's account.
  await writeFile(join(cluster, 'postgresql.auto.conf'), '')
  for (const [name, text] of [
    ['postgresql.conf', ''],
    ['pg_hba.conf', HBA],
    ['pg_ident.conf', ''],
  ] as const) {
    await writeFile(join(cluster, name), text, { mode: 0o644 })
  }
  const statements = [
    `create role ${databaseName} superuser login;`,
    `alter role ${databaseName} superuser login password '${password.replaceAll("'", "''")}';`,
    ...(database === databaseName
      ? []
      : [
          // Another application's; that there is none is an error that ends nothing.
          `alter database ${databaseName} rename to ${databaseName}_other;`,
          `alter database "${database.replaceAll('"', '""')}" rename to ${databaseName};`,
        ]),
  ]
  const args = ['--single', '-D', cluster, ...settingsArguments(1, settings), 'template1']
  const child = spawn(binaries.postgres, args, {
    ...account,
    cwd: cluster,
    env: cleanEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe'],
    windowsHide: true,
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk.toString()}`.slice(-10_000)
  })
  child.stdin.on('error', () => {})
  child.stdin.end(`${statements.join('\n')}\n`)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('close', resolve)
    child.once('error', reject)
  })
  if (code === 0) return
  const reason = said.split('\n').findLast((line) => /FATAL|PANIC/.test(line)) ?? `code ${code}`
  throw new StartupError(`PostgreSQL does not recover the copy: ${reason}`)
}
