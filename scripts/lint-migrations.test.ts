import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lintMigrations } from './lint-migrations.mjs'

async function lint(name: string, statement: string) {
  const folder = await mkdtemp(join(tmpdir(), 'bancone-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const file = join(folder, name)
  await writeFile(file, `${statement};\n`)
  return lintMigrations([file])
}

test.each([
  ['rewrites a table', 'alter table orders alter column number type bigint'],
  ['blocks writers while an index is built', 'create index orders__x on orders (x)'],
  ['reads a table for a constraint', 'alter table orders add constraint c check (x is not null)'],
  ['adds what the last release does not fill', 'alter table orders add column x text not null'],
  ['takes away what the last release reads', 'alter table orders drop column x'],
  ['renames what the last release reads', 'alter table orders rename column x to y'],
])('a migration that %s is refused', async (_, statement) => {
  expect(await lint('0100_x.sql', statement)).toMatchObject({ ok: false, count: 1 })
})

test.each([
  ['0100_x.sql', 'create table new (id uuid primary key); create index new__id on new (id)'],
  ['0100_x.sql', 'alter table orders add column x text'],
  ['0100_x.sql', 'alter table orders add constraint c check (x is not null) not valid'],
  ['0100_x.concurrent.sql', 'create index concurrently orders__x on orders (x)'],
])('%s: %s is accepted', async (name, statement) => {
  expect(await lint(name, statement)).toMatchObject({ ok: true, count: 1 })
})
