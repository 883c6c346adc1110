import { findMedicine } from '@bancone/contract/medicines'
import {
  type MedicineRegisterSandbox,
  startMedicineRegister,
} from '@bancone/sandbox/medicine-register'
import { registerText } from '@bancone/sandbox/medicine-register/register-text'
import { registeredPacks } from '@bancone/sandbox/medicine-register/registered-packs'
import { beforeEach, describe, expect, it } from 'vitest'
import { atEnd } from '../../../test/at-end.ts'
import { testDatabase } from '../../../test/database.ts'
import {
  codeOf,
  type OfferingPharmacy,
  type OffersServer,
  offersServer,
} from '../../../test/offers-server.ts'
import { createMedicinesStore } from './medicines.store.ts'
import { MEDICINE_IMPORT_TASK } from './medicines.wiring.ts'

const DEURSIL = '023605114'
const TACHIPIRINA = '012745093'
const REVOKED = '044155024'
const UNKNOWN = '034208013'
const DAY_MS = 24 * 60 * 60_000

let server: OffersServer
let sandbox: MedicineRegisterSandbox
let pharmacy: OfferingPharmacy
let now: number

beforeEach(async () => {
  now = Date.now()
  sandbox = await startMedicineRegister()
  atEnd(() => sandbox.close())
  server = await offersServer({
    clock: { now: () => now },
    products: { medicineRegisterUrl: sandbox.url },
  })
  pharmacy = await server.offering()
})

const importRegister = () => server.runTask(MEDICINE_IMPORT_TASK)
const find = async (code: string) =>
  findMedicine.response.parse((await pharmacy.ask('GET', `/api/medicines?code=${code}`)).json())
const shown = async () => {
  const { body } = await pharmacy.ask('GET', `/api/public/offers/${pharmacy.code}`)
  return body
}
const product = (code: string) => ({ Nome_Prodotto: `Prodotto ${code}`, Codice_Minsan: code })
const make = (code: string) =>
  pharmacy.ask('POST', '/api/offers', {
    fields: {
      ...product(code),
      Categoria: 'Farmaci da banco',
      Prezzo_Listino: 1_000,
      Prezzo_Offerta: 1_000,
      URL_Immagine: '/product-placeholder.svg',
    },
  })

describe('the register of medicines', () => {
  it('tells what a code is, and what it does not know', async () => {
    expect(await find(DEURSIL)).toEqual({ medicine: null, registerTime: null })
    await importRegister()
    const { medicine, registerTime } = await find(DEURSIL)
    expect(medicine).toMatchObject({ name: 'DEURSIL', supply: 'RR', authorised: true })
    expect(await find(UNKNOWN)).toEqual({ medicine: null, registerTime })
    expect(Date.parse(registerTime ?? '')).toBeGreaterThan(0)
  })

  it('follows its changes, and is not read twice on a day', async () => {
    await importRegister()
    const [first, ...others] = registeredPacks
    if (!first) throw new Error('there are no packs')
    sandbox.serve(registerText([{ ...first, name: 'NUOVO' }, ...others.slice(1)]))
    await importRegister()
    expect((await find(first.code)).medicine?.name).toBe(first.name)
    now += DAY_MS
    await importRegister()
    expect((await find(first.code)).medicine?.name).toBe('NUOVO')
    expect((await find(others[0]?.code ?? '')).medicine).toBeNull()
  })

  it('stays as it was when the next one is much smaller, is none or does not come', async () => {
    await importRegister()
    const before = await find(DEURSIL)
    now += DAY_MS
    for (const file of [registerText(registeredPacks.slice(0, 5)), '<p>Manutenzione</p>']) {
      sandbox.serve(file)
      await importRegister()
      expect(await find(DEURSIL)).toEqual(before)
    }
    sandbox.fail('cut')
    await expect(importRegister()).rejects.toMatchObject({ kind: 'unreachable' })
    expect(await find(DEURSIL)).toEqual(before)
    expect((await find(TACHIPIRINA)).medicine).not.toBeNull()
  })

  it('is downloaded before the transaction begins, and ended when the database fails', async () => {
    const { db, pool } = await testDatabase()
    const seen: unknown[] = []
    async function* packs() {
      try {
        const { rows } = await pool.query(
          `select from pg_stat_activity where datname = current_database() and xact_start is not null
             and pid <> pg_backend_pid()`,
        )
        seen.push(rows.length)
        yield { code: 'no digits', name: '', pack: '', supply: null, authorised: true }
      } finally {
        seen.push('ended')
      }
    }
    await expect(createMedicinesStore(db).replace(packs(), () => true)).rejects.toThrow(
      'medicines__code_digits',
    )
    expect(seen).toEqual([0, 'ended'])
  })

  it('is not begun with nothing', async () => {
    sandbox.serve(registerText([]))
    await importRegister()
    expect((await find(DEURSIL)).registerTime).toBeNull()
  })
})

describe('an offer of a medicine', () => {
  it.each([
    [DEURSIL, 'offers.prescription'],
    [REVOKED, 'offers.not_authorised'],
  ])('%s is refused: %s', async (code, refusal) => {
    await importRegister()
    const reply = await make(code)
    expect([reply.statusCode, codeOf(reply)]).toEqual([422, refusal])
    expect((await pharmacy.list()).offers).toEqual([])
  })

  it.each([TACHIPIRINA, UNKNOWN])('%s is published', async (code) => {
    await importRegister()
    expect((await make(code)).statusCode).toBe(201)
    expect(await shown()).toContain(`Prodotto ${code}`)
  })

  it('that is found to need a prescription is shown to the pharmacy alone, with the reason', async () => {
    expect((await make(DEURSIL)).statusCode).toBe(201)
    expect(await shown()).toContain(DEURSIL)
    const [{ id } = { id: '' }] = (await pharmacy.list()).offers
    const siteMap = async () => (await server.app.inject('/sitemap.xml')).body
    expect(await siteMap()).toContain(id)
    await importRegister()
    expect(await shown()).not.toContain(DEURSIL)
    // What is cached of the public pages is invalidated.
    await expect.poll(siteMap).not.toContain(id)
    expect((await pharmacy.list()).offers).toMatchObject([{ refusal: 'offers.prescription' }])
    const off = await pharmacy.change(id, { Stato_Offerta: 'Inattiva' })
    expect(off.refusal).toBe('offers.prescription')
  })
})
