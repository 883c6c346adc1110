import { describe, expect, it } from 'vitest'
import {
  ownership,
  ownersOf,
  sharersOf,
  type TablePharmacy,
  type TableUse,
} from './order-owner.rules.ts'

const marco: TablePharmacy = {
  id: 'marco',
  name: 'Farmacia San Marco',
  code: 'PHARM-0001',
  phone: '041 5223456',
  takesUnnamed: false,
  takesUntold: false,
}
const anna: TablePharmacy = {
  id: 'anna',
  name: "Farmacia Sant'Anna, Città",
  code: 'PHARM-0002',
  phone: '+39 393 1234567',
  takesUnnamed: false,
  takesUntold: false,
}
const nameless: TablePharmacy = {
  id: 'nameless',
  name: 'Farmacia',
  code: 'PHARM-0003',
  phone: null,
  takesUnnamed: false,
  takesUntold: false,
}
const twin: TablePharmacy = {
  id: 'twin',
  name: ' FARMACIA ',
  code: 'PHARM-0004',
  phone: '12',
  takesUnnamed: false,
  takesUntold: false,
}
const sharers = [marco, anna, nameless, twin]

describe('whose order a record of a shared table is', () => {
  it.each([
    ['Farmacia San Marco', ['marco']],
    ['  farmacia  SAN marco ', ['marco']],
    ['FarmaciaSanMarco', ['marco']],
    ['pharm-0001', ['marco']],
    ['041 522 34 56', ['marco']],
    ['+39 041 5223456', ['marco']],
    ['0039 041 5223456', ['marco']],
    ['Farmacia Sant’Anna, Citta', ['anna']],
    ['3931234567', ['anna']],
    ['00393931234567', ['anna']],
    ['Farmacia San Marco, PHARM-0002', ['marco', 'anna']],
    ['Farmacia San Marco; 041 5223456', ['marco']],
    // Two go by that name.
    ['Farmacia', []],
    ['Farmacia, PHARM-0003', ['nameless']],
    ['Farmacia San Marco Nuova', []],
    ['1234567', []],
    // The digits of a code are no telephone, and too few are none either.
    ['0001', []],
    ['12', []],
    ['-', []],
    ['', []],
    [null, []],
  ])('%j is that of %j', (pharmaWa, expected) => {
    expect(ownersOf(pharmaWa, sharers)).toEqual(expected)
  })
})

describe('to one of its pharmacies an order', () => {
  it.each([
    ['of a table of its own, whatever it says', 'PHARM-0002', [marco], 'own'],
    ['of a table that is not known to be shared', null, [], 'own'],
    ['of a shared table that names it', 'PHARM-0001', [marco, anna], 'own'],
    ['of a shared table that names it among others', 'PHARM-0002, PHARM-0001', sharers, 'own'],
    ['of a shared table that names another', 'PHARM-0002', [marco, anna], 'foreign'],
    ['of a shared table without a pharmacy', null, [marco, anna], 'ownerless'],
  ] as const)('%s', (_what, pharmaWa, table, expected) => {
    expect(ownership(pharmaWa, 'marco', table)).toBe(expected)
  })
})

describe('records of a table that name no pharmacy', () => {
  const use = (id: string, of: Partial<TableUse> = {}): TableUse => ({
    id,
    name: `Farmacia ${id}`,
    code: `PHARM-${id}`,
    phone: null,
    isActive: true,
    isDeleted: false,
    hasOrders: of.words !== undefined,
    isRead: true,
    words: [],
    ...of,
  })
  const named = { words: ['Farmacia first, Farmacia second'] }
  const unnamed = { words: ['', 'Farmacia first', 'Farmacia second'] }

  it.each([
    [
      'the only user, before a pharmacy that has just got the table',
      unnamed,
      { isRead: false },
      'own',
      'ownerless',
    ],
    ['the only user, before one that never had an order there', unnamed, {}, 'own', 'ownerless'],
    ['the only user, before one whose orders all name it', unnamed, named, 'own', 'ownerless'],
    [
      'the only user whose orders name it, before one that never had one',
      named,
      {},
      'own',
      'ownerless',
    ],
    ['the active one, before an inactive one', {}, { isActive: false }, 'own', 'ownerless'],
    [
      'the active one, before an inactive one with orders that name it',
      {},
      { isActive: false, ...named },
      'own',
      'ownerless',
    ],
    [
      'the active one that has such, before an inactive one that has such',
      unnamed,
      { isActive: false, ...unnamed },
      'own',
      'ownerless',
    ],
    [
      'the one that is left, before a deleted one',
      {},
      { isDeleted: true, ...unnamed },
      'own',
      'ownerless',
    ],
    [
      'nobody, as long as two may use the table',
      { isRead: false },
      { isRead: false },
      'ownerless',
      'ownerless',
    ],
    ['nobody, if two use it', named, named, 'ownerless', 'ownerless'],
    ['nobody, if two have such', unnamed, unnamed, 'ownerless', 'ownerless'],
    [
      'nobody, if an inactive one has such',
      named,
      { isActive: false, ...unnamed },
      'ownerless',
      'ownerless',
    ],
  ] as const)('belong to %s', (_whom, first, second, ofFirst, ofSecond) => {
    const table = sharersOf([use('first', first), use('second', second)])
    expect(table.map(({ id }) => ownership('', id, table))).toEqual([ofFirst, ofSecond])
  })

  it('also where the store does not tell it, unless the orders of another name it', () => {
    const first = use('first', unnamed)
    const owners = [{}, named].map((of) => {
      const table = sharersOf([first, use('second', of)])
      return table.map(({ id }) => ownership(undefined, id, table))
    })
    expect(owners).toEqual([
      ['own', 'ownerless'],
      ['ownerless', 'ownerless'],
    ])
  })
})
