import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuthServer, authServer } from '../../../test/auth-server.ts'
import {
  ask,
  colleague,
  type Headers,
  invite,
  newColleague,
  newPharmacy,
  refusal,
  setOwn,
  standing,
  userOf,
} from '../../../test/colleagues-server.ts'
import { testApp } from '../../../test/server.ts'
import { silentLog } from '../../../test/silent-log.ts'

let server: AuthServer
let pharmacy: Awaited<ReturnType<typeof newPharmacy>>
let owner: Headers

beforeAll(async () => {
  server = await authServer()
})

beforeEach(async () => {
  pharmacy = await newPharmacy(server)
  owner = pharmacy.owner
})

const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

const change = (id: string, what: object, headers = owner) =>
  colleague(server, headers, 'PATCH', `/${id}`, what)

const notChanged = (id: string, what: object, headers = owner) =>
  refusal(server, headers, 'PATCH', `/${id}`, what)

describe('the name of a colleague', () => {
  it('is what they are called by owners, also after they have come', async () => {
    const { id, email } = await invite(server, owner)
    expect(await change(id, { name: ' Anna Bianchi ' })).toMatchObject({
      name: 'Anna Bianchi',
      hasJoined: false,
      role: 'staff',
      email,
    })
    const bruno = await newColleague(server, owner, { name: 'Bruno' })
    expect(await change(bruno.id, { name: 'Bruno Neri' })).toMatchObject({ name: 'Bruno Neri' })
    expect(await standing(server, bruno.headers)).toMatchObject({ personName: 'Bruno Neri' })
    const user = await server.app.inject({ url: '/auth/v1/user', headers: bruno.headers })
    expect(user.json()).toMatchObject({ user_metadata: { full_name: 'Bruno Neri' } })
  })

  it.each(['full_name', 'name'])('is their own once they have set it (%s)', async (key) => {
    const { id, headers } = await newColleague(server, owner)
    await setOwn(server, headers, { data: { full_name: null, [key]: 'Annina' } })
    expect(await notChanged(id, { name: 'Anna' })).toEqual([409, 'colleagues.name_is_own'])
    expect(await standing(server, headers)).toMatchObject({ personName: 'Annina' })
    const [status] = await notChanged(id, { name: 'Anna', role: 'owner' })
    expect(status).toBe(409)
    expect(await standing(server, headers)).toMatchObject({ role: 'staff', personName: 'Annina' })
    expect(await change(id, { name: 'Annina', role: 'owner' })).toMatchObject({ role: 'owner' })
  })

  it('keeps what else they say of themselves', async () => {
    const { id, headers } = await newColleague(server, owner)
    await setOwn(server, headers, { data: { theme: 'dark' } })
    await change(id, { name: 'Anna Bianchi' })
    const user = await server.app.inject({ url: '/auth/v1/user', headers })
    expect(user.json()).toMatchObject({
      user_metadata: { theme: 'dark', full_name: 'Anna Bianchi' },
    })
  })

  it('is what others see of it: nobody is without one, or calls themselves backwards', async () => {
    const { id, headers } = await newColleague(server, owner, { name: '\u202eAnna \u00a0 Rossi' })
    const isCalled = async (personName: string) =>
      expect(await standing(server, headers)).toMatchObject({ personName })
    await isCalled('Anna Rossi')
    for (const [own, seen] of [
      ['\n\u00a0', 'Anna Rossi'],
      ['\u200b', 'Anna Rossi'],
      ['\u200d\ufe0f', 'Anna Rossi'],
      ['\u2800', 'Anna Rossi'],
      [{ a: 1 }, 'Anna Rossi'],
      ['\u202eDott.\nVerdi', 'Dott. Verdi'],
      ['👩‍⚕️', '👩‍⚕️'],
    ] as const) {
      await setOwn(server, headers, { data: { full_name: own } })
      await isCalled(seen)
    }
    expect(await notChanged(id, { name: '\u200b' })).toEqual([400, 'request.invalid'])
  })

  it('is theirs to give others, when it was written with blanks that nobody sees', async () => {
    const invited = await invite(server, owner, { name: 'Bruno' })
    await query("update pharmacy_members set name = 'Anna  Rossi' where id = $1", invited.id)
    await query(
      `update auth_users set user_metadata = '{"full_name": "Anna  Rossi"}' where id = $1`,
      await userOf(server, invited.id),
    )
    const named = await change(invited.id, { name: 'Anna Verdi' })
    expect(named.name).toBe('Anna Verdi')
  })

  it('can be changed by an owner who is a colleague, of themselves too', async () => {
    const { id, headers } = await newColleague(server, owner, { role: 'owner' })
    expect(await change(id, { name: 'Anna Verdi' }, headers)).toMatchObject({
      name: 'Anna Verdi',
      isYou: true,
    })
    // It is theirs from now on.
    expect(await notChanged(id, { name: 'Anna' })).toEqual([409, 'colleagues.name_is_own'])
  })
})

describe('the role of a colleague', () => {
  it('is another at once, in every process', async () => {
    const there = await testApp(server.database, {}, silentLog)
    try {
      const { id, headers } = await newColleague(server, owner)
      const roles = () =>
        Promise.all([standing(server, headers), standing({ app: there.app }, headers)])
      expect(await roles()).toMatchObject([{ role: 'staff' }, { role: 'staff' }])
      expect(await change(id, { role: 'owner' })).toMatchObject({ role: 'owner' })
      expect(await standing(server, headers)).toMatchObject({ role: 'owner' })
      // Sooner than what is remembered would be forgotten by itself.
      const soon = { timeout: 2_500, interval: 20 }
      const may = async () => (await ask(there, headers, 'GET')).status
      await vi.waitFor(async () => expect(await may()).toBe(200), soon)
      expect(await roles()).toMatchObject([{ role: 'owner' }, { role: 'owner' }])
      await change(id, { role: 'staff' })
      expect(await refusal(server, headers, 'GET')).toEqual([403, 'access.owners_only'])
      await vi.waitFor(async () => expect(await may()).toBe(403), soon)
    } finally {
      await there.app.close()
      await there.wired.close()
    }
  })

  it('is recorded, with whoever changed it and what it was', async () => {
    const { id } = await newColleague(server, owner)
    await change(id, { role: 'staff', name: 'Anna Rossi' })
    await change(id, { role: 'owner' })
    const { rows } = await query(
      `select event.actor_id, event.details from audit_events event
       join pharmacy_members member using (user_id)
       where member.id = $1 and action in ('role_changed', 'user_renamed')`,
      id,
    )
    expect(rows).toEqual([{ actor_id: pharmacy.id, details: { from: 'staff', to: 'owner' } }])
  })

  it('is not for oneself to change', async () => {
    const { id, headers } = await newColleague(server, owner, { role: 'owner' })
    expect(await notChanged(id, { role: 'staff' }, headers)).toEqual([400, 'request.invalid'])
    expect(await standing(server, headers)).toMatchObject({ role: 'owner' })
    expect(await change(id, { role: 'owner' }, headers)).toMatchObject({ role: 'owner' })
  })
})

describe('a change', () => {
  it.each([{ role: 'staff' }, { role: 'owner' }, { name: 'Nostra' }])(
    'is not for the own account of the pharmacy: %j',
    async (what) => {
      const { headers } = await newColleague(server, owner, { role: 'owner' })
      for (const from of [owner, headers]) {
        expect(await notChanged(pharmacy.id, what, from)).toEqual([400, 'request.invalid'])
      }
      expect(await standing(server, owner)).toMatchObject({ role: 'owner', personName: null })
    },
  )

  it('is not for the colleagues of another pharmacy, nor for their user', async () => {
    const there = await newPharmacy(server)
    const { id } = await newColleague(server, there.owner)
    for (const other of [id, await userOf(server, id), there.id]) {
      expect(await notChanged(other, { role: 'owner' })).toEqual([404, 'colleagues.not_found'])
    }
  })

  it.each([{ role: 'none' }, { name: '' }, { email: 'other@example.it' }])(
    'is none: %j',
    async (what) => {
      const { id } = await invite(server, owner)
      expect(await notChanged(id, what)).toEqual([400, 'request.invalid'])
    },
  )
})
