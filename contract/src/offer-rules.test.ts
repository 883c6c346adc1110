import { describe, expect, it } from 'vitest'
import { periodError, priceError, productError } from './offer-rules.ts'

const TODAY = '2026-03-10'

describe('the prices of an offer', () => {
  it.each([
    ['a price below the list price', 800, undefined],
    ['a price like the list price', 1_000, undefined],
    ['a cent above it', 1_001, 'offers.price_above_list'],
  ])('%s', (_name, price, fault) => {
    expect(priceError({ Prezzo_Listino: 1_000, Prezzo_Offerta: price })).toBe(fault)
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
  })
})
