import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Cli } from 'kysely-codegen'

/** The TypeScript of the tables of a migrated database: what `schema.gen.ts` must hold. */
export async function databaseTypes(url: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-types-'))
  const file = join(folder, 'schema.ts')
  try {
    await new Cli().run({
      argv: [
        '--dialect=postgres',
        `--url=${url}`,
        `--out-file=${file}`,
        '--log-level=silent',
        '--type-mapping={"timestamptz":"string","date":"string"}',
        '--exclude-pattern=graphile_worker.*',
      ],
    })
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
