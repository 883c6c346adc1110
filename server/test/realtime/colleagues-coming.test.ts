import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { clientOf, join, until } from './clients.ts'
import {
  anotherServer,
  newPharmacy,
  type RealtimeServer,
  realtimeServer,
  tokenOf,
} from './servers.ts'

let server: RealtimeServer
let people = 0

beforeAll(async () => {
  server = await realtimeServer()
})

const Member = z.object({ id: z.uuid() })

/** A pharmacy and somebody who works there, each with a screen; theirs at another process. */
async function atWork() {
  people += 1
  const pharmacy = await newPharmacy(server)
  const email = `chi-lavora-${people}@example.it`
  const userId = await server.addColleague({ email, pharmacyId: pharmacy.id })
  const { rows } = await server.database.pool.query(
    'select id from pharmacy_members where user_id = $1',
    [userId],
  )
  const another = await anotherServer(server.database)
  const token = await tokenOf(server, email)
  const screens = {
    own: await join(await clientOf('2.109', server, { token: pharmacy.token }), pharmacy.topic),
    theirs: await join(await clientOf('2.109', another, { token }), pharmacy.topic),
  }
  const ask = async (method: 'PATCH' | 'DELETE', payload?: object) => {
    const reply = await server.app.inject({
      method,
      url: `/api/colleagues/${Member.parse(rows[0]).id}`,
      headers: { authorization: `Bearer ${pharmacy.token}` },
      ...(payload && { payload }),
    })
    expect(reply.statusCode, reply.body).toBe(200)
  }
  return { ...screens, ask }
}

describe('the screens of a pharmacy', () => {
  it('are told that somebody who was invited has come', async () => {
    const pharmacy = await newPharmacy(server)
    const client = await clientOf('2.109', server, { token: pharmacy.token })
    const { heard } = await join(client, pharmacy.topic)
    const told = () => heard.filter(({ event }) => event === 'pharmacy').length
    const email = 'invitata@example.it'
    const userId = await server.addColleague({ email, pharmacyId: pharmacy.id })
    await until(() => told() === 1, 'the invitation')
    const { pool } = server.database
    await pool.query('update auth_users set email_confirmed_at = null where id = $1', [userId])
    await pool.query('update auth_users set email_confirmed_at = now() where id = $1', [userId])
    await until(() => told() === 2, 'the change')
  })

  it('are told that somebody has another role there, theirs too', async () => {
    const { own, theirs, ask } = await atWork()
    await ask('PATCH', { role: 'owner' })
    for (const { heard } of [own, theirs]) {
      await until(() => heard.some(({ event }) => event === 'pharmacy'), 'the change')
    }
    expect([own.states, theirs.states]).toEqual([['SUBSCRIBED'], ['SUBSCRIBED']])
  })

  it('lose one at once, in whatever process, when somebody is removed', async () => {
    const { own, theirs, ask } = await atWork()
    await ask('DELETE')
    await until(() => theirs.states.includes('CLOSED'), 'its end')
    await until(() => own.heard.some(({ event }) => event === 'pharmacy'), 'the change')
    expect(own.states).toEqual(['SUBSCRIBED'])
  })
})
