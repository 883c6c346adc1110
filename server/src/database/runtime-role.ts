import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Log } from '../ports/log.ts'

/** Marks the roles that this module creates, so that it changes no other ones. */
const COMMENT = 'Bancone at run time'

/**
 * Creates the role that the running server works as: it reads and writes rows and calls functions, but owns nothing, so
 * that it can neither change the schema nor run programs or read files of the database server. Each database and key has
 * a role of its own.
 *
 * @param owner a connection of the account that owns the schema
 * @param url the address of `owner`
 * @param key what the password is derived from, so that all processes know it
 * @returns the address with the role's name and password; `url` itself, with a warning, where the account may not create
 * roles or the role cannot sign in
 */
export async function runtimeUrl(
  owner: pg.Client,
  url: string,
  key: Buffer,
  log: Pick<Log, 'warn'>,
): Promise<string> {
  try {
    const role = await createRole(owner, key)
    const address = new URL(url)
    address.username = role.name
    address.password = role.password
    await checkLogin(address.href, role.name)
    return address.href
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    log.warn({ reason }, 'no role of its own: the server works as the account of DATABASE_URL')
    return url
  }
}

async function createRole(owner: pg.Client, key: Buffer) {
  const { rows } = await owner.query<{ database: string; creates: boolean }>(
    `select current_database() as database, rolcreaterole or rolsuper as creates
     from pg_roles where rolname = current_user`,
  )
  const [{ database, creates } = { database: '', creates: false }] = rows
  if (!creates) throw new Error('the account may not create roles')
  const mark = createHash('sha256').update(`${database} `).update(key).digest('hex').slice(0, 12)
  const role = {
    // Shorter than the 63 bytes to which PostgreSQL truncates names.
    name: `${database.replace(/\W/g, '_').slice(0, 40)}_app_${mark}`,
    password: createHmac('sha256', key).update(database).digest('base64url'),
  }
  await owner.query('begin')
  try {
    await createLogin(owner, role)
    await owner.query(grantsTo(owner.escapeIdentifier(role.name)))
    await owner.query('commit')
    return role
  } catch (error) {
    await owner.query('rollback')
    throw error
  }
}

type Login = { name: string; password: string }

async function createLogin(owner: pg.Client, { name, password }: Login): Promise<void> {
  const { rows } = await owner.query<{ comment: string | null }>(
    `select shobj_description(oid, 'pg_authid') as comment from pg_roles where rolname = $1`,
    [name],
  )
  if (rows[0]) {
    if (rows[0].comment !== COMMENT) throw new Error(`the role ${name} was not made by Bancone`)
    return
  }
  const role = owner.escapeIdentifier(name)
  const verifier = owner.escapeLiteral(scramVerifier(password))
  await owner.query(`create role ${role} login nosuperuser nocreatedb nocreaterole noreplication
    password ${verifier}`)
  await owner.query(`comment on role ${role} is ${owner.escapeLiteral(COMMENT)}`)
}

/** What PostgreSQL stores of a password (RFC 5803), so that the password itself is not in its log. */
function scramVerifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password, salt, 4096, 32, 'sha256')
  const sign = (text: string) => createHmac('sha256', salted).update(text).digest()
  const stored = createHash('sha256').update(sign('Client Key')).digest('base64')
  const server = sign('Server Key').toString('base64')
  return `SCRAM-SHA-256$4096:${salt.toString('base64')}$${stored}:${server}`
}

/** Not the id and the time: the server may add events to the audit log, but not in another place than the last. */
const AUDIT_COLUMNS =
  'action, user_id, actor_id, pharmacy_id, role, outcome, request_id, address, agent, target, details, changes'

/** Granted at each start, for tables that migrations have added. graphile-worker's tables have row-level security. */
function grantsTo(role: string): string {
  return `
    -- For connections through a pooler, which takes no options. See connectDatabase.
    alter role ${role} set timezone to 'UTC';
    alter role ${role} set statement_timeout to '60s';
    grant usage on schema public, graphile_worker to ${role};
    grant select, insert, update, delete on all tables in schema public, graphile_worker to ${role};
    grant usage on all sequences in schema public, graphile_worker to ${role};
    grant execute on all functions in schema public, graphile_worker to ${role};
    revoke insert, update, delete on schema_migrations, graphile_worker.migrations from ${role};
    revoke insert, update, delete on audit_events, audit_seals, audit_unsealed from ${role};
    grant insert (${AUDIT_COLUMNS}) on audit_events to ${role};
    do $$
    declare job_table regclass;
    begin
      for job_table in
        select oid from pg_class
        where relnamespace = 'graphile_worker'::regnamespace and relrowsecurity and not exists (
          select from pg_policy where polrelid = pg_class.oid and polname = 'bancone'
        )
      loop
        execute format('create policy bancone on %s using (true) with check (true)', job_table);
      end loop;
    end $$`
}

/** @throws if the role cannot sign in, or if the address leads to another one */
async function checkLogin(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ user: string }>('select current_user as user')
    if (rows[0]?.user !== role) throw new Error(`the address leads to the role ${rows[0]?.user}`)
  } finally {
    await client.end().catch(() => {})
  }
}
