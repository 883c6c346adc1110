import { AdminPharmacy } from '@bancone/contract/admin-pharmacies'
import { ErrorBody } from '@bancone/contract/errors'
import { ImportRow, PharmacyImport } from '@bancone/contract/pharmacy-imports'
import { parse } from 'csv-parse/sync'
import { encode } from 'iconv-lite'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { type TestServer, testServer } from '../../../test/server.ts'
import { PHARMACY_IMPORT_TASK } from './pharmacy-imports.store.ts'

let server: TestServer
let headers: { authorization: string }
let second: { authorization: string }
let administratorId: string

async function administrator(email: string) {
  const id = await server.addUser(email)
  await server.addAdministrator({ id })
  return { id, headers: await server.signIn(email) }
}

beforeAll(async () => {
  server = await testServer()
  const first = await administrator('amministratore@example.it')
  headers = first.headers
  administratorId = first.id
  second = (await administrator('altro@example.it')).headers
  for (const [name, features] of [
    ['Base', ['offers']],
    ['Più', ['offers', 'analytics']],
  ]) {
    const payload = { name, features, description: null, max_offers: 10, price: 9 }
    await server.app.inject({
      method: 'POST',
      url: '/api/admin/subscription-plans',
      headers,
      payload,
    })
  }
})

const IMPORTS = '/api/admin/pharmacy-imports'
const query = (text: string, ...values: unknown[]) => server.database.pool.query(text, values)

const ask = (method: 'GET' | 'POST' | 'DELETE', url: string, as = headers) =>
  server.app.inject({ method, url, headers: as })

const send = (payload: string | Buffer) =>
  server.app.inject({
    method: 'POST',
    url: IMPORTS,
    headers: { ...headers, 'content-type': 'text/csv' },
    payload,
  })

async function check(...lines: string[]): Promise<PharmacyImport> {
  const reply = await send(lines.join('\r\n'))
  if (reply.statusCode !== 201) throw new Error(reply.body)
  return PharmacyImport.parse(reply.json())
}

const find = async (id: string, as = headers) =>
  PharmacyImport.parse((await ask('GET', `${IMPORTS}/${id}`, as)).json())

const start = (id: string) => ask('POST', `${IMPORTS}/${id}/start`)

const next = (importId: string) => server.runTask(PHARMACY_IMPORT_TASK, { importId })

/** Starts an import and runs its jobs to the end. */
async function run({ id, total }: PharmacyImport): Promise<PharmacyImport> {
  expect((await start(id)).statusCode).toBe(200)
  for (let jobs = 0; jobs <= total / 50 + 2; jobs += 1) {
    await next(id)
    const found = await find(id)
    if (found.state === 'done') return found
  }
  throw new Error('the import did not end')
}

async function rows(id: string, outcome = ''): Promise<ImportRow[]> {
  const reply = await ask('GET', `${IMPORTS}/${id}/rows?pageSize=100${outcome}`)
  return z.array(ImportRow).parse(reply.json<{ rows: unknown }>().rows)
}

const refusedFile = async (id: string) => (await ask('GET', `${IMPORTS}/${id}/refused`)).body

async function pharmacies(): Promise<AdminPharmacy[]> {
  const reply = await ask('GET', '/api/admin/pharmacies')
  return z.array(AdminPharmacy).parse(reply.json<{ pharmacies: unknown }>().pharmacies)
}

const withEmail = async (email: string) => (await pharmacies()).find((each) => each.email === email)

describe('a file of 200 pharmacies of which 7 are wrong', () => {
  const line = (n: number, wrong: boolean) =>
    `Farmacia ${n};f${n}@${wrong ? '' : 'molte.example.it'};0415${String(n).padStart(6, '0')};Base;"=HYPERLINK(""x"")"`
  const isWrong = (n: number) => n % 27 === 0
  const file = [
    'Nome;Email;Telefono;Piano;Note',
    ...Array.from({ length: 200 }, (_, n) => line(n + 1, isWrong(n + 1))),
  ]

  it('makes 193; the file of the others, corrected, makes 7; and then all are equal', async () => {
    const preview = await check(...file)
    expect(preview).toMatchObject({
      state: 'preview',
      total: 200,
      done: 0,
      counts: { new: 193, changed: 0, same: 0, refused: 7 },
      ignoredColumns: ['Note'],
      created_by: 'amministratore@example.it',
    })
    expect(await pharmacies()).toEqual([])
    const refused = await rows(preview.id, '&outcome=refused')
    expect(refused).toHaveLength(7)
    expect(refused[0]).toMatchObject({
      line: 28,
      name: 'Farmacia 27',
      problems: [{ field: 'email', text: "Controlla l'indirizzo email: non è completo." }],
    })

    const done = await run(preview)
    const counts = { new: 193, changed: 0, same: 0, refused: 7 }
    expect(done).toMatchObject({ total: 200, done: 200, counts })
    // Another administrator sees the same run.
    expect(await find(preview.id, second)).toEqual(done)
    expect(await pharmacies()).toHaveLength(193)
    expect(await withEmail('f1@molte.example.it')).toMatchObject({
      name: 'Farmacia 1',
      phone: '0415000001',
      is_active: true,
      max_offers: 10,
      features_enabled: ['offers'],
      deviations: [],
    })
    const { rows: mails } = await query(
      `select count(*)::int as mails, min(priority) as priority from graphile_worker.jobs
       where task_identifier like '%mail%'`,
    )
    // After all other mails.
    expect(mails).toEqual([{ mails: 193, priority: 10 }])
    const { rows: events } = await query(
      `select distinct actor_id, role, outcome, request_id is not null as has_request
       from audit_events where action = 'pharmacy_created'`,
    )
    expect(events).toEqual([
      { actor_id: administratorId, role: 'admin', outcome: 'done', has_request: true },
    ])

    const text = await refusedFile(preview.id)
    const [header, ...lines] = parse(text, { delimiter: ';', bom: true })
    expect(header).toEqual(['Motivo', 'Nome', 'Email', 'Telefono', 'Piano', 'Note'])
    expect(lines).toHaveLength(7)
    expect(lines[0]).toEqual([
      "Email: Controlla l'indirizzo email: non è completo.",
      'Farmacia 27',
      'f27@',
      '041 5000027',
      'Base',
      `'=HYPERLINK("x")`,
    ])

    const corrected = await check(text.replaceAll('@;', '@molte.example.it;'))
    expect(await run(corrected)).toMatchObject({
      total: 7,
      counts: { new: 7, changed: 0, same: 0, refused: 0 },
    })
    expect(await pharmacies()).toHaveLength(200)

    const before = await pharmacies()
    const third = await run(
      await check(...file.map((row) => row.replace('@;', '@molte.example.it;'))),
    )
    expect(third.counts).toEqual({ new: 0, changed: 0, same: 200, refused: 0 })
    expect(await pharmacies()).toEqual(before)
  })
})

describe('a row', () => {
  it('finds its pharmacy by code, else by address, and leaves what it does not name', async () => {
    await run(
      await check(
        'Codice;Nome;Email;Piano;Offerte massime;Funzionalità;Piano valido fino al;Attiva',
        'riga-1;Prima;prima@example.it;base;3;Statistiche e Analytics;1/2/2027;no',
        ';Seconda;seconda@example.it;PIÙ;illimitate;;2027-02-28;sì',
      ),
    )
    const made = await withEmail('prima@example.it')
    expect(made).toMatchObject({
      pharmacy_id: 'RIGA-1',
      max_offers: 3,
      features_enabled: ['analytics'],
      plan_valid_until: '2027-02-01',
      is_active: false,
    })
    const preview = await check(
      'codice,email,piano,telefono,attiva',
      'RIGA-1,,Più,,si',
      ',SECONDA@example.it,,"041 520, 521",',
    )
    expect(preview.counts).toMatchObject({ changed: 2 })
    expect((await rows(preview.id)).map(({ changes }) => changes)).toEqual([
      ['subscription_plan_id', 'is_active'],
      ['phone'],
    ])
    expect((await rows(preview.id)).flatMap(({ differences }) => differences)).toEqual([
      { field: 'subscription_plan_id', before: 'Base', after: 'Più' },
      { field: 'is_active', before: 'no', after: 'sì' },
      { field: 'phone', before: '', after: '041 520, 521' },
    ])
    await run(preview)
    // What it deviates in from its plan stays.
    expect(await withEmail('prima@example.it')).toMatchObject({
      name: 'Prima',
      subscription_plans: { name: 'Più' },
      max_offers: 3,
      features_enabled: ['analytics'],
      is_active: true,
    })
    expect(await withEmail('seconda@example.it')).toMatchObject({
      phone: '041 520, 521',
      max_offers: null,
      features_enabled: ['offers', 'analytics'],
    })
  })

  it('is refused with the reasons, by column', async () => {
    await run(await check('Codice;Nome;Email;Piano', 'RIGA-9;Nona;nona@example.it;Base'))
    await run(await check('Codice;Nome;Email;Piano', 'RIGA-8;Via;via@example.it;Base'))
    const gone = await withEmail('via@example.it')
    await ask('DELETE', `/api/admin-delete-pharmacy?pharmacyId=${gone?.id}`)
    await query(`insert into used_pharmacy_codes (code) values ('RIGA-7')`)
    await query(`update pharmacies set airtable_base_id = 'appRIGA', airtable_table_id = 'tblRIGA'
      where pharmacy_id = 'RIGA-9'`)
    const preview = await check(
      'Codice;Nome;Email;Piano;Offerte massime;Attiva;Piano valido fino al;Funzionalità;Fonte ordini;Telefono',
      ';;;;-1;forse;31/2/2027;offers, volare;sì',
      'RIGA-9;;altra@example.it',
      'RIGA-6;Sei;nona@example.it;Base',
      'RIGA-7;Sette;sette@example.it;Base',
      ';Admin;Amministratore@example.it;Base',
      'RIGA-8;Via;;',
      ';Nona;nona@example.it;Base',
      'riga-9;Nona;;',
      ';Lunga;lunga@example.it;Base;;;;;;;di troppo',
      'a b;Codice;codice@example.it;Oro',
      ';Potenza;potenza@example.it;Base;;;;;;3,93415E+11',
      ';Zero;zero@example.it;Base;;;;;;415201234',
      ';Lettere;lettere@example.it;Base;abc;;31/12/0026;;;abc',
      'RIGA-9;;;;;;;;Supabase',
    )
    const problems = (await rows(preview.id)).map((row) =>
      row.problems.map(({ field, text }) => `${field}: ${text}`),
    )
    const badPhone =
      'phone: Nessuno può chiamare questo numero: scrivilo intero, per esempio 041 520 1234.'
    expect(problems).toEqual([
      [
        'plan_valid_until: La data non è valida: scrivila come 31/12/2026.',
        'max_offers: Il numero massimo di offerte non può essere negativo',
        'features_enabled: Funzionalità sconosciuta: «volare».',
        'is_active: Scrivi sì oppure no.',
        'use_supabase_orders: Scrivi Supabase oppure Airtable.',
        'name: Il nome della farmacia è obbligatorio',
        'subscription_plan_id: Seleziona un piano di abbonamento - questo campo è obbligatorio',
        "email: L'email è obbligatoria",
      ],
      ["email: La farmacia RIGA-9 ha un'altra email: qui non si può cambiare."],
      ['email: Questa email è della farmacia RIGA-9.'],
      ['pharmacy_id: Questo codice è già stato usato.'],
      ['email: Questa email ha già un account.'],
      ['null: Questa farmacia è stata eliminata: prima ripristinala.'],
      [],
      ['null: È la stessa farmacia della riga 8.'],
      ['null: La riga ha più celle delle intestazioni: controlla virgolette e separatori.'],
      [
        "subscription_plan_id: Non c'è un piano di nome «Oro».",
        'pharmacy_id: Usa lettere, cifre e trattini, per esempio PHARM-0001.',
      ],
      [badPhone],
      [badPhone],
      [
        'plan_valid_until: La data non è valida: scrivila come 31/12/2026.',
        'max_offers: Scrivi un numero intero, oppure illimitate.',
        badPhone,
      ],
      [
        'use_supabase_orders: Gli ordini sono ancora in Airtable: passa a Supabase dalla migrazione degli ordini.',
      ],
    ])
  })

  it('that gives a pharmacy the table of another one says so', async () => {
    const header = 'Nome;Email;Piano;Base Airtable;Tabella Airtable'
    const line = (name: string, table: string) =>
      `${name};${name}@tabella.example.it;Base;appT;${table}`
    await run(await check(header, line('prima', 'tblA')))
    const preview = await check(
      header,
      line('prima', 'tblA'),
      line('seconda', 'tblA'),
      line('terza', 'tblB'),
      line('quarta', 'tblB'),
    )
    const { pharmacy_id: code } = (await withEmail('prima@tabella.example.it')) ?? {}
    const note = (user: string) => [
      `È già la tabella di ${user}: ogni ordine deve avere in PharmaWA il nome, il codice o il telefono della sua farmacia.`,
    ]
    const found = await rows(preview.id)
    expect(found.map(({ outcome }) => outcome)).toEqual(['same', 'new', 'new', 'new'])
    expect(found.map(({ problems }) => problems.map(({ text }) => text))).toEqual([
      [],
      note(`prima (${code})`),
      [],
      note('riga 4'),
    ])
  })

  it('takes into account what was done since the preview', async () => {
    const line = ';Tardi;tardi@example.it;Base'
    const early = await check(
      'Codice;Nome;Email;Piano',
      line,
      ';Persa;persa@example.it;Base',
      ';Doppia;tardi@example.it;Base',
    )
    await run(await check('Codice;Nome;Email;Piano', line))
    await server.addUser('persa@example.it')
    expect((await run(early)).counts).toEqual({ new: 0, changed: 0, same: 1, refused: 2 })
    expect(await withEmail('tardi@example.it')).toMatchObject({ name: 'Tardi' })
    expect(await refusedFile(early.id)).toContain(
      'Email: Questa email ha già un account.;;Persa;persa@example.it;Base',
    )
  })
})

describe('a run', () => {
  const many = (word: string, count: number) => [
    'Nome;Email;Piano',
    ...Array.from({ length: count }, (_, n) => `${word} ${n};${word}-${n}@example.it;Base`),
  ]
  const made = async (word: string) => {
    const { rows: found } = await query('select from pharmacies where email like $1', `${word}-%`)
    return found.length
  }

  it('goes on where another process has left it, and applies no row twice', async () => {
    const { id } = await check(...many('ripresa', 60))
    await start(id)
    const aborted = new AbortController()
    aborted.abort()
    await server.jobs.tasks[PHARMACY_IMPORT_TASK]?.run({ importId: id }, aborted.signal)
    expect((await find(id)).done).toBe(0)
    // Two processes at the same time.
    await Promise.all([next(id), next(id)])
    await next(id)
    await next(id)
    await next(id)
    expect(await find(id)).toMatchObject({ state: 'done', counts: { new: 60, refused: 0 } })
    expect(await made('ripresa')).toBe(60)
  })

  it('ends when it is cancelled, and is the only one', async () => {
    const { id } = await check(...many('annullata', 60))
    const other = await check(...many('altra', 1))
    await start(id)
    expect((await start(id)).json()).toMatchObject({ code: 'pharmacy_imports.started' })
    expect((await start(other.id)).json()).toMatchObject({ code: 'pharmacy_imports.other_running' })
    await next(id)
    expect((await ask('DELETE', `${IMPORTS}/${id}`)).statusCode).toBe(200)
    await next(id)
    expect(await find(id)).toMatchObject({ state: 'cancelled', done: 50, counts: { new: 50 } })
    expect(await made('annullata')).toBe(50)
    await ask('DELETE', `${IMPORTS}/${other.id}`)
    expect((await ask('GET', `${IMPORTS}/${other.id}`)).statusCode).toBe(404)
    expect((await ask('GET', IMPORTS)).json<{ imports: unknown[] }>().imports[0]).toMatchObject({
      id,
    })
  })
})

describe('a row that is being applied', () => {
  it('is undone when its import is cancelled', async () => {
    const { id } = await check('Nome;Email;Piano', 'Uno;fermo-1@example.it;Base')
    await start(id)
    const blocker = await server.database.pool.connect()
    try {
      await blocker.query('begin; select from subscription_plans for update')
      const applying = next(id)
      await vi.waitUntil(async () => {
        const { rowCount } = await query('select from pg_locks where not granted limit 1')
        return rowCount === 1
      })
      await ask('DELETE', `${IMPORTS}/${id}`)
      await blocker.query('rollback')
      await applying
    } finally {
      blocker.release()
    }
    expect(await find(id)).toMatchObject({ state: 'cancelled', done: 0 })
    expect(await withEmail('fermo-1@example.it')).toBeUndefined()
  })
})

describe('a file', () => {
  it('may be in Windows-1252, and have a byte order mark, empty rows and line breaks', async () => {
    const preview = await send(
      encode('Nome;Email;Piano\n\nL’altra città – nuova;citta@example.it;Più\n', 'windows-1252'),
    )
    const { id } = PharmacyImport.parse(preview.json())
    expect(await rows(id)).toMatchObject([
      { line: 3, name: 'L’altra città – nuova', outcome: 'new' },
    ])
    const marked = await check('\ufeff"Nome","Email","Piano"', '"La\nGrande",g@example.it,Base')
    expect(await rows(marked.id)).toMatchObject([{ line: 2, name: 'La\nGrande', outcome: 'new' }])
  })

  it.each([
    ['sep=;\r\nNome;Email;Piano\r\nUna, due;s@example.it;Base', 'Una, due'],
    ['\ufeffSEP=|\nNome|Email|Piano\nUna; due|s@example.it|Base', 'Una; due'],
  ])('may begin with the line by which Excel knows its separator', async (text, name) => {
    const { id } = await check(text)
    expect(await rows(id)).toMatchObject([{ line: 2, name, outcome: 'new' }])
  })

  it.each([
    ['is too many', '"Farmacia "Nova"";a@example.it'],
    ['is in the middle', 'Farmacia "Nova";a@example.it'],
    ['is never closed', '"Farmacia Nova;a@example.it'],
  ])('names the row of which a quotation mark %s', async (_what, row) => {
    const lines = ['Nome;Email', 'Prima;p@example.it', row, 'Terza;t@example.it']
    const reply = ErrorBody.parse((await send(lines.join('\n'))).json())
    expect(reply).toMatchObject({ code: 'pharmacy_imports.unreadable', details: { line: 3 } })
    expect(reply.error).toMatch(/^Nella riga 3 /)
  })

  it('with 60,000 separators and 1,000 rows keeps what has a heading', async () => {
    const { total } = await check(`Nome;Email;Piano${';'.repeat(60_000)}\n${'a\n'.repeat(1_000)}`)
    expect(total).toBe(1_000)
  })

  it.each([
    ['a workbook', Buffer.from([0x50, 0x4b, 3, 4, 0, 0]), 'pharmacy_imports.unreadable'],
    ['an open quotation', 'Nome;Email\n"Rossi;a@example.it', 'pharmacy_imports.unreadable'],
    ['other headings', 'Name;Mail\na;b', 'pharmacy_imports.missing_columns'],
    ['nothing', '', 'pharmacy_imports.missing_columns'],
    ['headings alone', 'Nome;Email\n ; \n', 'pharmacy_imports.empty'],
    ['too many rows', `Email\n${'a\n'.repeat(5_001)}`, 'pharmacy_imports.too_many_rows'],
    [
      'too many columns',
      `Email${';x'.repeat(100)}\na@example.it`,
      'pharmacy_imports.too_many_columns',
    ],
    ['too many bytes', 'a'.repeat(2 * 1024 * 1024 + 1), 'pharmacy_imports.too_large'],
  ])('with %s is refused as a whole', async (_what, payload, code) => {
    expect(ErrorBody.parse((await send(payload)).json()).code).toBe(code)
  })

  it('is the template, once its example is replaced', async () => {
    const template = (await ask('GET', '/api/admin/pharmacy-import-template')).body
    const preview = await check(template)
    expect(preview).toMatchObject({ ignoredColumns: [], counts: { new: 1 } })
  })
})
