import { expect, it } from 'vitest'
import { testDatabase } from './database.ts'
import { obstacles } from './distribution.ts'
import { knownObstacles } from './distribution-obstacles.ts'
import { withoutPharmacy } from './statements-of-pharmacies.ts'
import {
  acrossPharmacies,
  byTheirOwnKey,
  partsOfStatements,
} from './statements-without-pharmacy.ts'

it('can be distributed by pharmacy, but for what is listed', async () => {
  const { pool } = await testDatabase()
  const found = await obstacles(pool)
  const known = Object.entries(knownObstacles).map(([trouble, names]) => [
    trouble,
    names.toSorted(),
  ])
  expect(found).toEqual(Object.fromEntries(known))
})

it('tells what a table would stand in the way with', async () => {
  const { pool } = await testDatabase()
  const before = await obstacles(pool)
  await pool.query(
    `alter table reply_texts drop constraint reply_texts_pkey, add primary key (id), add unique (pharmacy_id, id);
     alter table priority_settings drop constraint priority_settings_pkey,
       add column reply_id uuid, alter column pharmacy_id drop not null,
       add constraint priority_settings__one unique (reply_id),
       add constraint priority_settings__to_account foreign key (reply_id) references auth_users (id),
       add constraint priority_settings__reply foreign key (reply_id, pharmacy_id)
         references reply_texts (id, pharmacy_id);
     create function counts() returns trigger language plpgsql as $$ begin
       insert into priority_counters select pharmacy_id, now(), 'tried' from changed; return null; end $$;
     create trigger counted after update on priority_settings
       referencing new table as changed for each statement execute function counts();
     create function rings() returns trigger language plpgsql as $$ begin notify bells; return null; end $$;
     create trigger rings after update on priority_settings for each row execute function rings()`,
  )
  const after = await obstacles(pool)
  const difference = (one: typeof before, other: typeof before) =>
    Object.entries(one).flatMap(([trouble, names]) =>
      names.filter((name) => !other[trouble]?.includes(name)).map((name) => `${trouble}: ${name}`),
    )
  expect(difference(before, after)).toEqual([])
  expect(difference(after, before)).toEqual([
    'pharmacy_id may be null: priority_settings',
    'no primary key: priority_settings',
    'unique without pharmacy_id: priority_settings__one',
    'primary key without pharmacy_id: reply_texts (id)',
    'foreign key to a table that is in one place: priority_settings__to_account',
    'trigger that joins changed rows with a table: priority_settings: counted',
    'trigger that notifies: priority_settings: rings',
  ])
})

it('names the pharmacy in every statement, but for those that are listed', async () => {
  const known: Record<string, string[]> = {}
  for (const list of [acrossPharmacies, byTheirOwnKey, partsOfStatements]) {
    for (const [file, names] of Object.entries(list)) {
      known[file] = [...(known[file] ?? []), ...names.split(' ')].sort()
    }
  }
  expect(await withoutPharmacy()).toEqual(known)
})
