import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Medicine } from '@bancone/contract/medicines'
import { startMedicineRegister } from '@bancone/sandbox/medicine-register'
import { registerText } from '@bancone/sandbox/medicine-register/register-text'
import { registeredPacks } from '@bancone/sandbox/medicine-register/registered-packs'
import { encode } from 'iconv-lite'
import { describe, expect, it, onTestFinished, test } from 'vitest'
import { testFileFolder } from '../../../test/temporary-folder.ts'
import { createTemporaryFiles } from '../../platform/temporary-files.ts'
import { type AifaRegisterOptions, createAifaRegister, supplyClassOf } from './aifa-register.ts'

async function start(options: Partial<AifaRegisterOptions> = {}) {
  const sandbox = await startMedicineRegister()
  onTestFinished(() => sandbox.close())
  const folder = await testFileFolder()
  const register = createAifaRegister({
    url: sandbox.url,
    fetch: globalThis.fetch,
    temporaryFiles: createTemporaryFiles(folder),
    ...options,
  })
  return { sandbox, folder, read: (signal?: AbortSignal) => all(register.packs(signal)) }
}

async function all(packs: AsyncIterable<Medicine>): Promise<Medicine[]> {
  const read: Medicine[] = []
  for await (const pack of packs) read.push(pack)
  return read
}

const pack = { code: '012745093', name: 'L’È', pack: 'a; "b"\nc', supply: '' }
const read = { ...pack, supply: null, authorised: true }

describe('the register', () => {
  it('is read with class and state of each pack', async () => {
    const packs = await (await start()).read()
    expect(packs).toHaveLength(registeredPacks.length)
    expect(packs).toContainEqual({
      code: '023605114',
      name: 'DEURSIL',
      pack: '300 mg capsule rigide 20 capsule',
      supply: 'RR',
      authorised: true,
    })
    const byName = new Map(packs.map(({ name, ...each }) => [name, each]))
    expect(byName.get('TACHIPIRINA')).toMatchObject({ supply: 'OTC', authorised: true })
    expect(byName.get('VOLTAREN')).toMatchObject({ supply: 'SOP' })
    expect(byName.get('SCIROPPO DI PROVA')).toMatchObject({ authorised: false })
  })

  it.each([
    ['UTF-8', Buffer.from(registerText([pack]))],
    ['UTF-8 with its mark', Buffer.from(`\u{feff}${registerText([pack])}`)],
    ['Windows-1252', encode(registerText([pack]), 'windows-1252')],
    ['UTF-8 with NUL', Buffer.from(registerText([{ ...pack, name: 'L\0’È' }]))],
  ])('may be %s, with separators, quotes and line breaks in its texts', async (_what, bytes) => {
    const { sandbox, read: packs } = await start()
    sandbox.serve(bytes)
    expect(await packs()).toEqual([read])
  })

  it('may be a file', async () => {
    const folder = await testFileFolder()
    const path = join(folder, 'register.csv')
    await writeFile(path, registerText([pack]))
    expect(await (await start({ url: pathToFileURL(path).href })).read()).toEqual([read])
    const url = pathToFileURL(join(folder, 'none.csv')).href
    await expect((await start({ url })).read()).rejects.toMatchObject({ kind: 'unreachable' })
  })

  it('loses what is no AIC, and keeps codes whose zeros are gone', async () => {
    const { sandbox, read: packs } = await start()
    const odd = ['12745093', '012745094', '', '973344518'].map((code) => ({ ...pack, code }))
    sandbox.serve(`${registerText(odd)}cut;off\r\n`)
    expect(await packs()).toEqual([read])
  })

  it.each([
    ['status', 'unreachable', {}],
    ['silent', 'unreachable', { timeLimitMs: 200 }],
    ['cut', 'unreachable', {}],
    ['page', 'malformed', {}],
    ['endless', 'too_large', { sizeLimit: 100_000 }],
    ['endless', 'unreachable', { timeLimitMs: 200 }],
  ] as const)('that is %s is %s', async (mode, kind, limits) => {
    const { sandbox, read: packs } = await start(limits)
    sandbox.fail(mode)
    await expect(packs()).rejects.toMatchObject({ name: 'MedicineRegisterError', kind })
  })

  it('with a record that does not end is malformed', async () => {
    const { sandbox, read: packs } = await start()
    sandbox.serve(`${registerText([])}"${'x'.repeat(200_000)}`)
    await expect(packs()).rejects.toMatchObject({ kind: 'malformed' })
  })

  it('is given up with the job', async () => {
    const { sandbox, read: packs } = await start()
    sandbox.fail('silent')
    await expect(packs(AbortSignal.timeout(50))).rejects.toMatchObject({ kind: 'unreachable' })
  })
})

test.each([
  ['medicinali non soggetti a prescrizione medica, da banco', 'OTC'],
  ['Medicinali non soggetti a prescrizione medica ma non da banco', 'SOP'],
  ['medicinali soggetti a prescrizione medica', 'RR'],
  ['medicinali soggetti a prescrizione medica da rinnovare volta per volta', 'RNR'],
  [
    'medicinali soggetti a prescrizione medica limitativa, vendibili al pubblico su prescrizione di centri ospedalieri o di specialisti',
    'RRL',
  ],
  [
    'medicinali soggetti a prescrizione medica limitativa, da rinnovare volta per volta, vendibili al pubblico su prescrizione di centri ospedalieri',
    'RNRL',
  ],
  [
    'medicinali soggetti a prescrizione medica limitativa, utilizzabili esclusivamente in ambiente ospedaliero o in struttura ad esso assimilabile',
    'OSP',
  ],
  [
    'medicinali soggetti a prescrizione medica limitativa, utilizzabili esclusivamente da specialisti',
    'USPL',
  ],
  ['medicinali soggetti a prescrizione medica speciale', 'RMR'],
  ['medicinali da vendersi dietro presentazione di ricetta ministeriale', 'RMR'],
  ['', null],
  ['da definire', null],
])('%s is %s', (text, supply) => {
  expect(supplyClassOf(text)).toBe(supply)
})
