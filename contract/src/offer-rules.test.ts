import { describe, expect, it, test } from 'vitest'
import {
  curativeClaim,
  isMedicineOffer,
  offerRefusal,
  periodError,
  priceError,
  productError,
} from './offer-rules.ts'

const TODAY = '2026-03-10'

describe('the prices of an offer', () => {
  it.each([
    ['a price below the list price', 800, null, undefined],
    ['a price like the list price', 1_000, null, undefined],
    ['a cent above it', 1_001, null, 'offers.price_above_list'],
    ['a prior price like the list price', 800, 1_000, undefined],
    ['a prior price above it', 800, 1_001, 'offers.prior_above_list'],
  ])('%s', (_name, price, prior, fault) => {
    const prices = { Prezzo_Listino: 1_000, Prezzo_Offerta: price, Prezzo_Precedente: prior }
    expect(priceError(prices)).toBe(fault)
  })
})

describe('the period of an offer', () => {
  it.each([
    ['without an end', '2026-03-01', null, undefined],
    ['that ends today', '2026-03-01', TODAY, undefined],
    ['that ended yesterday', '2026-03-01', '2026-03-09', 'offers.ends_too_early'],
    ['of a single day to come', '2026-04-01', '2026-04-01', undefined],
    ['that ends before it begins', '2026-04-02', '2026-04-01', 'offers.ends_too_early'],
  ])('%s', (_name, Data_Inizio, Data_Fine, fault) => {
    expect(periodError({ Data_Inizio, Data_Fine }, undefined, TODAY)).toBe(fault)
  })

  it.each([
    ['stays', '2026-03-05', undefined],
    ['is moved to another one', '2026-03-06', 'offers.ends_too_early'],
    ['comes before its beginning', '2026-02-20', 'offers.ends_too_early'],
  ])('may have ended when its last day %s', (_name, end, fault) => {
    const period = { Data_Inizio: '2026-03-01', Data_Fine: end }
    expect(periodError(period, '2026-03-05', TODAY)).toBe(fault)
  })
})

describe('the product of an offer', () => {
  const Categoria = 'Cosmetici'

  it.each([
    ['012745093', 'medicinale_otc_sop', undefined],
    ['012745093', 'omeopatico', undefined],
    ['973344518', 'medicinale_otc_sop', 'offers.wrong_code'],
    ['973344518', 'omeopatico', 'offers.wrong_code'],
    ['012745094', 'medicinale_otc_sop', 'offers.wrong_code'],
    ['973344518', 'dispositivo_medico', undefined],
    ['973344518', 'veterinario', undefined],
    ['105070015', 'medicinale_otc_sop', undefined],
    ['973344518', 'libero', undefined],
    [null, 'medicinale_otc_sop', undefined],
    [null, undefined, 'offers.unknown_category'],
  ] as const)('with the code %s, as %s', (Codice_Minsan, regulatoryClass, fault) => {
    expect(productError({ Categoria, Codice_Minsan }, undefined, regulatoryClass)).toBe(fault)
  })

  it('is not held against who changes something else', () => {
    const product = { Categoria, Codice_Minsan: '973344518' }
    expect(productError(product, product, 'medicinale_otc_sop')).toBeUndefined()
    const moved = { ...product, Categoria: 'Altro' }
    expect(productError(product, moved, 'medicinale_otc_sop')).toBe('offers.wrong_code')
    const renumbered = { ...product, Codice_Minsan: '012745094' }
    expect(productError(product, renumbered, 'medicinale_otc_sop')).toBe('offers.wrong_code')
  })
})

const AIC = '012745093'
const PARAPHARMACY = '973344518'
const VETERINARY = '105070015'

test.each([
  [VETERINARY, 'veterinario', true, null],
  [VETERINARY, 'libero', true, null],
  [AIC, 'libero', true, null],
  [AIC, 'dispositivo_medico', true, null],
  [AIC, 'medicinale_otc_sop', true, null],
  [PARAPHARMACY, 'libero', false, null],
  [null, 'libero', false, null],
  [null, 'veterinario', false, null],
  [null, 'medicinale_otc_sop', true, 'offers.code_missing'],
  [null, 'omeopatico', true, 'offers.code_missing'],
  [PARAPHARMACY, 'medicinale_otc_sop', true, 'offers.code_missing'],
] as const)('%s as %s is a medicine: %s, and refused: %s', (code, regulatoryClass, is, refusal) => {
  expect(isMedicineOffer(code, regulatoryClass)).toBe(is)
  expect(offerRefusal(code, regulatoryClass, null)).toBe(refusal)
})

test.each([
  ['OTC', true, null],
  ['SOP', true, null],
  ['RR', true, 'offers.prescription'],
  ['RNR', true, 'offers.prescription'],
  ['RMR', false, 'offers.prescription'],
  ['OTC', false, 'offers.not_authorised'],
  // The register has a supply class that the contract does not know.
  [null, true, null],
] as const)(
  'a medicine of the class %s, authorised: %s, is refused: %s',
  (supply, authorised, refusal) => {
    expect(offerRefusal(AIC, 'libero', { supply, authorised })).toBe(refusal)
    expect(offerRefusal(VETERINARY, 'veterinario', { supply, authorised })).toBe(refusal)
  },
)

describe('a text', () => {
  it.each([
    ['Cura il raffreddore in un giorno', 'cura il raffreddore'],
    ["Allevia l'influenza", "allevia l'influenza"],
    ['Guarisce le ferite', 'guarisce'],
    ['Azione antinfiammatoria e drenante', 'antinfiammatoria'],
    ['Crema anti-infiammatoria', 'anti-infiammatoria'],
    ['Contro la tosse secca', 'contro la tosse'],
    ['Rimedio per mal di gola', 'rimedio per mal di gola'],
    ['Terapia d’urto per i capelli', 'terapia'],
  ])('that promises a cure: %s', (text, claim) => {
    expect(curativeClaim(text)).toBe(claim)
  })

  it.each([
    'Per la cura della pelle',
    'Prendersi cura del viso',
    'Una scelta sicura: la crema per tutti',
    'Contro le punture di zanzara',
    'Vitamine e minerali per la normale funzione immunitaria',
  ])('that promises none: %s', (text) => {
    expect(curativeClaim(text)).toBeNull()
  })
})
