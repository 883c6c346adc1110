import { describe, expect, it } from 'vitest'
import { STANDARD_COLUMNS } from './airtable-columns.ts'
import { readRecords } from './airtable-records.ts'

const id = 'recAbC12345678901'
const createdTime = '2026-03-01T09:00:00.000Z'

const read = (fields: unknown) => readRecords([{ id, createdTime, fields }])
const nothing = {
  recordId: id,
  orderNumber: null,
  waId: null,
  customerName: null,
  customerPhone: null,
  address: null,
  details: null,
  status: null,
  image: null,
  pharmaWa: null,
  createdAt: createdTime,
  updatedAt: createdTime,
}

/** A name that is cut within a character, and what is left of it. */
const [half, cut] = [`${'a'.repeat(199)}😀`, `${'a'.repeat(199)}\ufffd`]

describe('a record', () => {
  it('becomes an order, column by column', () => {
    const page = read({
      'ID Ordine': 12,
      'ID WA': 'wa-1',
      Cliente: 'Anna',
      'Phone Number': '+39 333 1',
      Indirizzo: 'Via Po 1',
      Ordine: 'Aspirina\nEnterogermina',
      Stato: 'In attesa',
      Image: 'https://example.org/1.jpg',
      PharmaWA: '39011',
      Created: '2026-02-28T10:00:00.000Z',
      Last: '2026-03-02T10:00:00.000Z',
      Date: 'a column that is none of ours',
    })
    expect(page).toEqual({
      orders: [
        {
          recordId: id,
          orderNumber: '12',
          waId: 'wa-1',
          customerName: 'Anna',
          customerPhone: '+39 333 1',
          address: 'Via Po 1',
          details: 'Aspirina\nEnterogermina',
          status: 'In attesa',
          image: { url: 'https://example.org/1.jpg', ref: 'https://example.org/1.jpg' },
          pharmaWa: '39011',
          createdAt: '2026-02-28T10:00:00.000Z',
          updatedAt: '2026-03-02T10:00:00.000Z',
        },
      ],
      unreadable: [],
    })
  })

  it.each([{}, { 'ID Ordine': 7, Stato: 'In attesa', PharmaWA: '39011', Last: createdTime }])(
    'is a blank row while it holds nothing of an order: %j',
    (fields) => {
      expect(read(fields).orders).toMatchObject([{ isBlank: true }])
      for (const content of [{ Ordine: 'x' }, { 'ID WA': '1' }, { Image: 'https://x.it/1' }]) {
        expect(read({ ...fields, ...content }).orders[0]?.isBlank).toBeUndefined()
      }
      // There is something, although it cannot be read.
      expect(read({ ...fields, Cliente: true }).orders[0]?.isBlank).toBeUndefined()
      const columns = STANDARD_COLUMNS.filter((name) => name !== 'Ordine')
      const [untold] = readRecords([{ id, createdTime, fields }], columns).orders
      expect(untold?.isBlank).toBeUndefined()
    },
  )
})

describe('a cell', () => {
  it.each([
    { what: 'a number as text', fields: { 'ID Ordine': 7 }, read: { orderNumber: '7' } },
    { what: 'the number zero', fields: { 'ID Ordine': 0 }, read: { orderNumber: '0' } },
    {
      what: 'the other name of a column',
      fields: { ID_Ordine: 'A-7' },
      read: { orderNumber: 'A-7' },
    },
    {
      what: 'the other name where the first is blank',
      fields: { 'ID Ordine': ' ', ID_Ordine: 8 },
      read: { orderNumber: '8' },
    },
    {
      what: 'a phone number as a number',
      fields: { 'Phone Number': 393331234567 },
      read: { customerPhone: '393331234567' },
    },
    {
      what: 'text without its margins',
      fields: { Cliente: '  Anna \n' },
      read: { customerName: 'Anna' },
    },
    { what: 'blank text as nothing', fields: { Cliente: ' \n ' }, read: { customerName: null } },
    { what: 'null as nothing', fields: { Cliente: null, Last: null, Image: null }, read: {} },
    {
      what: 'a lookup',
      fields: { Indirizzo: ['Via Po 1', null, 'Torino', 10121] },
      read: { address: 'Via Po 1, Torino, 10121' },
    },
    {
      what: 'a lookup with blanks',
      fields: { Cliente: ['Anna', ' '] },
      read: { customerName: 'Anna' },
    },
    {
      what: 'a collaborator by name, another one by address',
      fields: {
        Cliente: { id: 'usr1', email: 'anna@example.org', name: 'Anna' },
        Ordine: [{ id: 'usr2', email: 'bruno@example.org' }],
      },
      read: { customerName: 'Anna', details: 'bruno@example.org' },
    },
    {
      what: 'the text of a barcode, a button and the AI',
      fields: {
        'Phone Number': { text: '3331234567', type: 'ean13' },
        Indirizzo: { label: 'Via Po 1', url: 'https://x.it' },
        Ordine: { state: 'generated', value: 'Aspirina', isStale: false },
      },
      read: { customerPhone: '3331234567', address: 'Via Po 1', details: 'Aspirina' },
    },
    {
      what: 'a text that looks like the id of a record',
      fields: { Cliente: 'recCLIENTE0000001' },
      read: { customerName: 'recCLIENTE0000001' },
    },
    {
      what: 'the pharmacy by the ids of linked records',
      fields: { PharmaWA: ['recFARMACIA000001'], Cliente: 'Anna' },
      read: { pharmaWa: 'recFARMACIA000001', customerName: 'Anna' },
    },
    { what: 'an empty lookup as nothing', fields: { Cliente: [] }, read: { customerName: null } },
    {
      what: 'several attachments',
      fields: {
        Image: [
          { id: 'att1', url: 'https://x.it/1', size: 5, type: 'image/png', filename: ' 1.png' },
          { id: 'att2', url: 'https://x.it/2', size: 6, type: 'a b', filename: 7 },
        ],
      },
      read: {
        image: {
          url: 'https://x.it/1',
          ref: 'att1 att2',
          bytes: 11,
          attachments: [
            {
              url: 'https://x.it/1',
              ref: 'att1',
              name: '1.png',
              type: 'image/png',
              bytes: 5,
            },
            { url: 'https://x.it/2', ref: 'att2', name: null, type: null, bytes: 6 },
          ],
        },
      },
    },
    {
      what: 'a picture without its name',
      fields: { Image: [{ id: 'att1', url: 'https://x.it/1', type: 'image/png', filename: 'a' }] },
      read: { image: { url: 'https://x.it/1', ref: 'att1' } },
    },
    {
      what: 'a file that is no picture',
      fields: {
        Image: [{ id: 'att1', url: 'https://x.it/u', type: 'Application/PDF', filename: half }],
      },
      read: {
        image: {
          url: 'https://x.it/u',
          ref: 'att1',
          attachments: [
            { url: 'https://x.it/u', ref: 'att1', name: cut, type: 'application/pdf', bytes: null },
          ],
        },
      },
    },
    ...[undefined, 7, 'rec1'].map((attachment) => ({
      what: `an attachment whose id is ${attachment}`,
      fields: { Image: [{ id: attachment, url: 'https://x.it/1' }] },
      read: { image: { url: 'https://x.it/1', ref: 'https://x.it/1' } },
    })),
    {
      what: 'an attachment without an address as nothing',
      fields: { Image: [{ id: 'att1', url: ' ' }] },
      read: { image: null },
    },
    {
      what: 'looked-up addresses',
      fields: { Image: ['https://x.it/1', ' '] },
      read: { image: { url: 'https://x.it/1', ref: 'https://x.it/1' } },
    },
    { what: 'no attachment as nothing', fields: { Image: [] }, read: { image: null } },
    {
      what: 'an address without its margins',
      fields: { Image: [{ url: ' https://x.it/1 ' }] },
      read: { image: { url: 'https://x.it/1', ref: 'https://x.it/1' } },
    },
    {
      what: 'a time with an offset',
      fields: { Created: '2026-03-01T10:15:00+02:00' },
      read: { createdAt: '2026-03-01T08:15:00.000Z' },
    },
    {
      what: 'a day as its midnight',
      fields: { Last: '2026-05-11' },
      read: { updatedAt: '2026-05-11T00:00:00.000Z' },
    },
    {
      what: 'the first year',
      fields: { Created: '1900-01-01T00:00:00Z' },
      read: { createdAt: '1900-01-01T00:00:00.000Z' },
    },
    {
      what: 'the last year',
      fields: { Last: '2200-12-31T23:59:59.999Z' },
      read: { updatedAt: '2200-12-31T23:59:59.999Z' },
    },
  ])('is read: $what', ({ fields, read: expected }) => {
    const page = read(fields)
    const isBlank = page.orders[0]?.isBlank
    expect(page).toEqual({ orders: [{ ...nothing, ...expected, isBlank }], unreadable: [] })
  })

  it.each([
    { what: 'an error of a formula', column: 'Cliente', cell: { error: '#ERROR!' } },
    { what: 'a number that is none', column: 'ID Ordine', cell: { specialValue: 'NaN' } },
    { what: 'a ticked box', column: 'Indirizzo', cell: true },
    { what: 'an endless number', column: 'Ordine', cell: Number.POSITIVE_INFINITY },
    { what: 'an object without text', column: 'Stato', cell: { id: 'usr1', name: ' ' } },
    { what: 'linked records', column: 'Cliente', cell: ['recCLIENTE0000001', 'recCLIENTE0000002'] },
    { what: 'a text beside a linked record', column: 'Ordine', cell: ['A', 'recCLIENTE0000001'] },
    { what: 'attachments', column: 'Ordine', cell: [{ id: 'att1', url: 'https://x.it/1' }] },
    { what: 'a lookup of boxes', column: 'PharmaWA', cell: ['39011', true] },
    { what: 'a lookup of errors', column: 'ID WA', cell: [{ error: '#ERROR!' }] },
    { what: 'a picture that is a script', column: 'Image', cell: 'javascript:alert(1)' },
    {
      what: 'an attachment that is data',
      column: 'Image',
      cell: [{ id: 'att1', url: 'data:text/html,x' }],
    },
    { what: 'a picture that is a number', column: 'Image', cell: 7 },
    { what: 'an attachment without address', column: 'Image', cell: [{ id: 'att1' }] },
    { what: 'an Italian date', column: 'Created', cell: '05/11/2026 10:15' },
    { what: 'a date in words', column: 'Last', cell: '5 Nov 2026' },
    { what: 'a time of no zone', column: 'Last', cell: '2026-11-05T10:15:00' },
    { what: 'a day that is not', column: 'Last', cell: '2026-02-30T10:15:00Z' },
    { what: 'a year alone', column: 'Created', cell: '2026' },
    { what: 'a time as a number', column: 'Created', cell: 1_772_000_000_000 },
    { what: 'a year too early', column: 'Created', cell: '1899-12-31T23:59:59Z' },
    { what: 'a year too late', column: 'Last', cell: '2201-01-01T00:00:00Z' },
    { what: 'a year of six digits', column: 'Last', cell: '+012026-01-01T00:00:00Z' },
    { what: 'blank where a time should be', column: 'Last', cell: '' },
  ])('that is $what is set aside alone, and its column is named', ({ column, cell }) => {
    const sound = { 'ID Ordine': 7, ID_Ordine: 7, Cliente: 'Anna', Stato: 'Confermato' }
    const { orders, unreadable } = read({ ...sound, [column]: cell })
    const rest = { orderNumber: '7', customerName: 'Anna', status: 'Confermato' }
    const names: Record<string, string> = { Cliente: 'customerName', Stato: 'status' }
    const lost = names[column]
    expect(orders).toEqual([
      { ...nothing, ...rest, ...(lost && { [lost]: null }), unknown: [expect.any(String)] },
    ])
    expect(unreadable).toEqual([{ recordId: id, reason: `kept; cannot be read: ${column}` }])
  })

  it('that is broken is named with the others, once', () => {
    const { orders, unreadable } = read({ Cliente: true, Last: 'ieri', Ordine: [true, false] })
    expect(orders).toEqual([{ ...nothing, unknown: ['customerName', 'details', 'updatedAt'] }])
    expect(unreadable).toEqual([
      { recordId: id, reason: 'kept; cannot be read: Cliente, Ordine, Last' },
    ])
  })
})

describe('what is no record', () => {
  it.each([
    { what: 'no id', record: { createdTime, fields: {} }, names: 'id' },
    { what: 'an id of another kind', record: { id: 'tbl1', createdTime, fields: {} }, names: 'id' },
    {
      what: 'an id with more in it',
      record: { id: `${id}/x`, createdTime, fields: {} },
      names: 'id',
    },
    { what: 'an id with _', record: { id: 'rec_1', createdTime, fields: {} }, names: 'id' },
    {
      what: 'an id without end',
      record: { id: `rec${'a'.repeat(41)}`, createdTime, fields: {} },
      names: 'id',
    },
    { what: 'null', record: null, names: 'record' },
    { what: 'text', record: 'Anna, Via Po 1', names: 'record' },
  ])('has $what, and is set aside without a name', ({ record, names }) => {
    expect(readRecords([record])).toEqual({
      orders: [],
      unreadable: [{ recordId: null, reason: `left out; cannot be read: ${names}` }],
    })
  })

  it.each([
    { what: 'no creation', record: { id, fields: {} }, names: 'createdTime' },
    {
      what: 'an Italian creation',
      record: { id, createdTime: '05/11/2026', fields: {} },
      names: 'createdTime',
    },
    // If it were read as empty, the copy of the order would lose its content.
    { what: 'no fields', record: { id, createdTime }, names: 'fields' },
  ])('has $what, and is set aside by its id', ({ record, names }) => {
    expect(readRecords([record])).toEqual({
      orders: [],
      unreadable: [{ recordId: id, reason: `left out; cannot be read: ${names}` }],
    })
  })

  it('does not stop those around it', () => {
    const other = 'recOther'
    const { orders, unreadable } = readRecords([
      { id, createdTime, fields: {} },
      { id: 'Anna' },
      { id: other, createdTime, fields: { Cliente: { error: '#ERROR!' } } },
    ])
    expect(orders.map((order) => order.recordId)).toEqual([id, other])
    expect(unreadable.map(({ recordId }) => recordId)).toEqual([null, other])
  })

  it('is never quoted', () => {
    const secret = 'Anna Rossi'
    const page = readRecords([
      secret,
      { id: secret, createdTime: secret, fields: secret },
      { id, createdTime: secret, fields: { Cliente: secret } },
      { id, createdTime, fields: { Cliente: { error: secret }, Last: secret, Image: { secret } } },
    ])
    expect(page.unreadable).toHaveLength(4)
    expect(JSON.stringify(page)).not.toContain(secret)
  })
})
