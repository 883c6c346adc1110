import { beforeEach, describe, expect, it } from 'vitest'
import { clientOf, ok, refusal } from '../../../test/conformance/storage/clients.ts'
import { storageServer } from '../../../test/conformance/storage/storage-server.ts'

const server = await storageServer()
const admins = await server.database.pool.query<{ id: string }>(
  "select id from auth_users where email = 'admin@example.it'",
)
const adminId = admins.rows[0]?.id ?? ''

beforeEach(() => server.database.pool.query('delete from audit_events'))

/** The events of file administration: the call, the bucket, whose files, and by whom. */
async function trail() {
  const { rows } = await server.database.pool.query<object>(
    `select details ->> 'call' as call, details ->> 'bucket' as bucket, user_id as whose,
       actor_id as who, address is not null as "hasAddress"
     from audit_events where action = 'files_administered' order by id`,
  )
  return rows
}

const by = (who: string | null) => ({ who, hasAddress: true })
const named = (call: string) => call.replace(' ', ' /storage/v1')

describe('the trail of files', () => {
  it.each(['admin', 'adminKey'] as const)('has what %s does to buckets and files', async (who) => {
    const [client, bucket] = [clientOf(server, server.as[who]), `bucket-${who.toLowerCase()}`]
    const name = `${server.own}/a.txt`
    await ok(client.createBucket(bucket))
    await ok(client.updateBucket(bucket, { public: true }))
    await ok(client.from(bucket).upload(name, 'text'))
    await ok(client.from(bucket).copy(name, `${server.other}/b.txt`))
    await ok(client.from(bucket).createSignedUrl(name, 60))
    await ok(client.from(bucket).remove([name, `${server.own}/none.txt`]))
    await ok(client.emptyBucket(bucket))
    await ok(client.deleteBucket(bucket))
    const actor = by(who === 'admin' ? adminId : null)
    const [own, other] = [server.own, server.other]
    const expected = [
      ['POST /bucket', null],
      ['PUT /bucket/:bucket', null],
      ['POST /object/:bucket/*', own],
      ['POST /object/copy', own],
      ['POST /object/copy', other],
      ['POST /object/sign/:bucket/*', own],
      ['DELETE /object/:bucket', own],
      ['POST /bucket/:bucket/empty', null],
      ['DELETE /bucket/:bucket', null],
    ] as const
    expect(await trail()).toEqual(
      expected.map(([call, whose]) => ({ call: named(call), bucket, whose, ...actor })),
    )
  })

  it('has what a person reads of a pharmacy, and not the work of a server', async () => {
    const name = `${server.own}/read.txt`
    await ok(clientOf(server, server.as.own).from('pharmacies').upload(name, 'text'))
    for (const who of ['admin', 'adminKey'] as const) {
      const client = clientOf(server, server.as[who])
      await ok(client.listBuckets())
      await ok(client.from('pharmacies').list(server.own))
      await ok(client.from('pharmacies').download(name))
    }
    const event = { bucket: 'pharmacies', whose: server.own, ...by(adminId) }
    expect(await trail()).toEqual([
      { call: named('POST /object/list/:bucket'), ...event },
      { call: named('GET /object/:bucket/*'), ...event },
    ])
  })

  it('has nothing of what a pharmacy does to its own, nor of what was refused', async () => {
    const files = clientOf(server, server.as.own).from('pharmacies')
    await ok(files.upload(`${server.own}/mine.txt`, 'text'))
    await ok(files.remove([`${server.own}/mine.txt`]))
    const admin = clientOf(server, server.as.admin)
    await refusal(admin.deleteBucket('none'))
    await refusal(admin.from('pharmacies').download(`${server.own}/none.txt`))
    expect(await trail()).toEqual([])
  })
})
