import { UploadedImage } from '@bancone/contract/images'
import { getOwnPharmacy } from '@bancone/contract/pharmacies'
import { PharmacyProfile, type ProfileChange } from '@bancone/contract/pharmacy-profile'
import { prescriptionTerms } from '@bancone/contract/prescription-fields'
import { beforeAll, describe, expect, it } from 'vitest'
import { drawn } from '../../../test/pictures.ts'
import {
  type PublicPagesServer,
  pageOf,
  publicPagesServer,
} from '../../../test/public-pages-server.ts'
import { testFileFolder } from '../../../test/temporary-folder.ts'

type Caller = { authorization: string }

const NOON = '2026-11-23T12:00:00Z'
const span = { from: '08:30', to: '19:30' }
const openingWeek = [[span], [span], [span], [span], [span], [], []]
const full: ProfileChange = {
  brandColor: '#ffd400',
  openingWeek,
  closings: [
    { from: '2026-12-25', to: '2026-12-26', note: 'Natale' },
    { from: '2026-11-01', to: '2026-11-02', note: '' },
  ],
  description: 'Misuriamo la pressione.',
  mapUrl: 'https://maps.app.goo.gl/abc',
}
const nothing: ProfileChange = {
  brandColor: null,
  openingWeek: null,
  closings: [],
  description: null,
  mapUrl: null,
}

let server: PublicPagesServer
let admin: Caller
let picture: Buffer
let made = 0

beforeAll(async () => {
  server = await publicPagesServer({
    files: { folder: await testFileFolder() },
    clock: { now: () => Date.parse(NOON) },
  })
  await server.addAdministrator({ email: 'admin@example.it' })
  admin = await server.signIn('admin@example.it')
  picture = await drawn(300, 300).png().toBuffer()
})

async function branded() {
  made += 1
  const email = `brand-${made}@example.it`
  const features = ['offers', 'custom_branding']
  const id = await server.addPharmacy({ email, code: `BRAND-${made}`, features })
  return { id, code: `BRAND-${made}`, owner: await server.signIn(email) }
}

function change(caller: Caller, body: object, url = '/api/pharmacy/profile') {
  return server.app.inject({ method: 'PUT', url, headers: caller, payload: body })
}
const ofAdmin = (id: string, what = 'profile') => `/api/admin/pharmacies/${id}/${what}`

async function upload(caller: Caller, url = '/api/images') {
  const headers = { ...caller, 'content-type': 'image/png' }
  const reply = await server.app.inject({ method: 'POST', url, headers, payload: picture })
  return UploadedImage.parse(reply.json())
}

/** What the public page is rendered from, which is cached until a change is notified. */
async function shown(code: string) {
  return pageOf((await server.app.inject(`/offers/${code}`)).body).content?.pharmacy
}

async function isKept(publicId: string): Promise<boolean> {
  const { pool } = server.database
  await pool.query(
    "update images set created_at = created_at - interval '2 days', released_at = released_at - interval '2 days'",
  )
  await server.runTask('images.cleanup')
  return (await pool.query('select from images where public_id = $1', [publicId])).rowCount === 1
}

describe('the profile of a pharmacy', () => {
  it('is made by its owner, and shown on the public page at once', async () => {
    const { code, owner } = await branded()
    expect((await shown(code))?.profile).toBeNull()
    const empty = await server.app.inject({ url: '/api/pharmacy/profile', headers: owner })
    expect(empty.json()).toEqual({ ...nothing, logoUrl: null })
    const { publicId, url } = await upload(owner)
    const reply = await change(owner, { ...full, logo: publicId })
    expect(reply.json()).toEqual({ ...full, logoUrl: url })
    await expect
      .poll(async () => (await shown(code))?.profile)
      .toMatchObject({
        palette: { light: { accent: '#806a00' }, dark: { accent: '#ffd400' } },
        openingWeek,
        closings: [full.closings[0]],
        description: full.description,
        mapUrl: full.mapUrl,
      })
    expect((await shown(code))?.logoUrl).toBe(url)
    const own = await server.app.inject({ url: '/api/pharmacy', headers: owner })
    expect(getOwnPharmacy.response.parse(own.json())).toMatchObject({
      logoUrl: url,
      brandColor: '#ffd400',
    })
    // Without a picture, whose change would also be one of the page.
    await change(owner, { ...full, logo: publicId, description: 'Aperti la domenica' })
    await expect
      .poll(async () => (await shown(code))?.profile?.description)
      .toBe('Aperti la domenica')
    await change(owner, { ...nothing, logo: null })
    await expect.poll(async () => (await shown(code))?.profile).toBeNull()
    expect((await shown(code))?.logoUrl).toBeNull()
  })

  it('is made by an administrator, with a logo that belongs to the pharmacy', async () => {
    const { id, owner } = await branded()
    const { publicId, url } = await upload(admin, ofAdmin(id, 'images'))
    expect(publicId.startsWith(id)).toBe(true)
    const reply = await change(admin, { ...full, logo: publicId }, ofAdmin(id))
    expect(reply.json()).toMatchObject({ name: 'Farmacia BRAND-2', logoUrl: url })
    const seen = await server.app.inject({ url: '/api/pharmacy/profile', headers: owner })
    expect(PharmacyProfile.parse(seen.json())).toEqual({ ...full, logoUrl: url })
    const read = await server.app.inject({ url: ofAdmin(id), headers: admin })
    expect(read.json()).toMatchObject(full)
  })

  it('is recorded in the audit log when it changes, without long texts', async () => {
    const { id, owner } = await branded()
    await change(owner, { ...nothing, brandColor: '#ffd400', description: 'x'.repeat(299) })
    await change(owner, { ...nothing, brandColor: '#ffd400', description: 'x'.repeat(299) })
    await change(admin, nothing, ofAdmin(id))
    const { rows } = await server.database.pool.query(
      "select role, outcome, changes from audit_events where action = 'profile_changed' and pharmacy_id = $1 order by at",
      [id],
    )
    const changed = { description: null, brandColor: { before: null, after: '#ffd400' } }
    const back = { description: null, brandColor: { before: '#ffd400', after: null } }
    expect(rows).toEqual([
      { role: 'owner', outcome: 'done', changes: changed },
      { role: 'admin', outcome: 'done', changes: back },
    ])
  })

  it('keeps the logo where a change does not name one', async () => {
    const { owner } = await branded()
    const { publicId, url } = await upload(owner)
    await change(owner, { ...nothing, logo: publicId })
    expect((await change(owner, full)).json()).toMatchObject({ logoUrl: url })
  })

  it('keeps the picture of the logo, and that alone, whichever way it is replaced', async () => {
    const { id, owner } = await branded()
    const first = await upload(owner)
    const second = await upload(owner)
    await change(owner, { ...nothing, logo: first.publicId })
    expect(await isKept(first.publicId)).toBe(true)
    expect(await isKept(second.publicId)).toBe(false)
    const third = await upload(owner)
    await change(owner, { ...nothing, logo: third.publicId })
    expect(await isKept(first.publicId)).toBe(false)
    await server.database.pool.query("update pharmacies set name = 'Altra' where id = $1", [id])
    expect(await isKept(third.publicId)).toBe(true)
    await server.database.pool.query('update pharmacies set logo_url = null where id = $1', [id])
    expect(await isKept(third.publicId)).toBe(false)
  })

  it('takes no picture of another pharmacy, and then nothing of the change', async () => {
    const { code, owner } = await branded()
    const { owner: other } = await branded()
    const { publicId } = await upload(other)
    const reply = await change(owner, { ...full, logo: publicId })
    expect([reply.statusCode, reply.json()]).toMatchObject([404, { code: 'images.not_found' }])
    expect((await shown(code))?.profile).toBeNull()
  })

  it('of a deleted pharmacy is not found', async () => {
    const { id } = await branded()
    await server.database.pool.query('update pharmacies set deleted_at = now() where id = $1', [id])
    const headers = { ...admin, 'content-type': 'image/png' }
    const sent = { method: 'POST', url: ofAdmin(id, 'images'), headers, payload: picture } as const
    const replies = [
      await change(admin, full, ofAdmin(id)),
      await server.app.inject({ url: ofAdmin(id), headers: admin }),
      await server.app.inject(sent),
    ]
    for (const reply of replies) {
      expect([reply.statusCode, reply.json()]).toMatchObject([
        404,
        { code: 'pharmacies.not_found' },
      ])
    }
  })
})

describe('the fields for a prescription', () => {
  const url = '/api/pharmacy/prescription-fields'

  it('are on the public page while an owner has them switched on', async () => {
    const { id, code, owner } = await branded()
    const email = `colleague-${made}@example.it`
    await server.addColleague({ email, pharmacyId: id, role: 'staff' })
    const isShown = async () => (await shown(code))?.hasPrescriptionFields
    expect(await isShown()).toBe(false)
    const accepted = { termsVersion: prescriptionTerms.version }
    for (const caller of [await server.signIn(email), admin])
      expect((await change(caller, accepted, url)).statusCode).toBe(403)
    expect((await change(owner, { termsVersion: 0 }, url)).json()).toMatchObject({
      code: 'whatsapp.other_terms',
    })
    expect((await change(owner, accepted, url)).json()).toEqual({ isOn: true })
    await expect.poll(isShown).toBe(true)
    await change(owner, full)
    await expect.poll(async () => (await shown(code))?.profile).not.toBeNull()
    expect(await isShown()).toBe(true)
    expect((await server.app.inject({ url, headers: owner })).json()).toEqual({ isOn: true })
    await change(owner, { termsVersion: null }, url)
    await expect.poll(isShown).toBe(false)
    // Accepted before the terms were changed.
    const { pool } = server.database
    await pool.query('update pharmacy_profiles set prescription_terms_version = 0')
    expect((await server.app.inject({ url, headers: owner })).json()).toEqual({ isOn: false })
    const { rows } = await pool.query(
      `select outcome, changes from audit_events
       where action = 'prescription_fields_changed' and pharmacy_id = $1 order by at`,
      [id],
    )
    expect(rows).toEqual([
      { outcome: 'refused', changes: null },
      { outcome: 'refused', changes: null },
      { outcome: 'done', changes: { termsVersion: { before: null, after: 1 } } },
      { outcome: 'done', changes: { termsVersion: { before: 1, after: null } } },
    ])
  })
})
