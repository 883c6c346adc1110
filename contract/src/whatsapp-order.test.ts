import { describe, expect, it } from 'vitest'
import { findPrescriptionCodes } from './prescription-codes.ts'
import { type OrderedProduct, orderMessage, whatsAppLink } from './whatsapp-order.ts'

function product(given: Partial<OrderedProduct> = {}): OrderedProduct {
  return {
    name: 'Crema mani',
    cents: 990,
    quantity: 1,
    equivalent: false,
    discounted: true,
    medicine: false,
    ...given,
  }
}

const medicine = product({
  name: 'Tachipirina 500 mg',
  cents: 520,
  discounted: false,
  medicine: true,
})

describe('the message of one product', () => {
  it('has its name, its reduced price, one of it, and no equivalent', () => {
    expect(orderMessage([product()])).toBe(
      'Ciao, vorrei ordinare:\nProdotto: Crema mani\nPrezzo scontato: 9,90 €\nQuantità: 1\nEquivalente: no',
    )
  })

  it('ends with the code of the order, if there is one', () => {
    const plain = orderMessage([product()])
    expect(orderMessage([product()], 'ABC234')).toBe(`${plain}\nCodice: ABC234`)
  })

  it('says the price alone when it is not reduced', () => {
    const lines = orderMessage([product({ discounted: false, cents: 123_450 })]).split('\n')
    expect(lines).toContain('Prezzo: 1.234,50 €')
  })

  it('says how many, and that an equivalent will do', () => {
    const lines = orderMessage([product({ quantity: 3, equivalent: true })]).split('\n')
    expect(lines.slice(-2)).toEqual(['Quantità: 3', 'Equivalente: sì'])
  })

  it('reserves a medicine', () => {
    expect(orderMessage([medicine])).toBe(
      'Ciao, vorrei prenotare:\nProdotto: Tachipirina 500 mg\nPrezzo: 5,20 €\nQuantità: 1\nEquivalente: no',
    )
  })

  it('has only spaces that break', () => {
    expect(orderMessage([product({ cents: 100 })])).not.toMatch(/[\u00a0\u202f]/)
  })
})

describe('the message of several products', () => {
  it('numbers them, and only of medicines says whether an equivalent will do', () => {
    const accepted = { ...medicine, quantity: 2, equivalent: true }
    const plain = orderMessage([product(), accepted])
    expect(orderMessage([product(), accepted], 'ABC234')).toBe(`${plain}\n\nCodice: ABC234`)
    expect(plain).toBe(
      [
        'Ciao, vorrei prenotare:',
        '1) Crema mani\nPrezzo scontato: 9,90 €\nQuantità: 1',
        '2) Tachipirina 500 mg\nPrezzo: 5,20 €\nQuantità: 2\nEquivalente: sì',
      ].join('\n\n'),
    )
  })

  it('reserves them when a medicine is among them, and orders them otherwise', () => {
    expect(orderMessage([product(), medicine])).toMatch(/^Ciao, vorrei prenotare:\n\n1\)/)
    expect(orderMessage([product(), product()])).toMatch(/^Ciao, vorrei ordinare:\n\n1\)/)
  })
})

describe('a prescription in the message', () => {
  const prescription = { nre: ' 1300a  4000000248', taxCode: 'rssmra79b11c566r\n' }
  const lines = 'Codice fiscale: RSSMRA79B11C566R\nNRE: 1300A4000000248'

  it('stands after the products, before the code of the order', () => {
    const one = orderMessage([product()])
    const two = orderMessage([product(), medicine])
    expect(orderMessage([product()], null, prescription)).toBe(`${one}\n${lines}`)
    expect(orderMessage([product(), medicine], 'ABC234', prescription)).toBe(
      `${two}\n\n${lines}\n\nCodice: ABC234`,
    )
  })

  it('is what was filled in', () => {
    const plain = orderMessage([product()])
    const filled = (typed: Partial<typeof prescription>) =>
      orderMessage([product()], null, { nre: '', taxCode: ' ', ...typed })
    expect(filled({})).toBe(plain)
    expect(filled({ nre: '1' })).toBe(`${plain}\nNRE: 1`)
    expect(filled({ nre: '*1300a* *4000000248*,\n1200A1234567890' })).toBe(
      `${plain}\nNRE: *1300A* *4000000248*, 1200A1234567890`,
    )
    expect(filled({ taxCode: 'a' })).toBe(`${plain}\nCodice fiscale: A`)
  })

  it('is found there with its person', () => {
    const text = orderMessage([product(), medicine], 'ABC234', prescription)
    const found = findPrescriptionCodes(text)
    expect(found.codes.flatMap(({ doubts }) => doubts)).toEqual([])
    expect(
      found.patients.map(({ identity, prescriptions }) => [
        identity?.value,
        ...prescriptions.map(({ value }) => value),
      ]),
    ).toEqual([['RSSMRA79B11C566R', '1300A4000000248']])
  })
})

describe('the link', () => {
  it('is to the letter what WhatsApp reads', () => {
    const message = orderMessage([product({ name: 'Tè d’orzo & c. 100% più', cents: 123_450 })])
    expect(whatsAppLink('390411234567', message)).toBe(
      'https://wa.me/390411234567?text=Ciao%2C%20vorrei%20ordinare%3A%0A' +
        'Prodotto%3A%20T%C3%A8%20d%E2%80%99orzo%20%26%20c.%20100%25%20pi%C3%B9%0A' +
        'Prezzo%20scontato%3A%201.234%2C50%20%E2%82%AC%0A' +
        'Quantit%C3%A0%3A%201%0A' +
        'Equivalente%3A%20no',
    )
  })

  it('gives back what was said', () => {
    const message = orderMessage([product({ name: '#1 + 50% 💊 "extra"?' }), medicine])
    const link = new URL(whatsAppLink('393331234567', message))
    expect([link.pathname, link.searchParams.get('text')]).toEqual(['/393331234567', message])
  })
})
