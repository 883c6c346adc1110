import { describe, expect, it } from 'vitest'
import { mayHaveCodes } from './may-have-codes.ts'
import { barsOf, type FoundCode, findPrescriptionCodes, hideCodes } from './prescription-codes.ts'

/** A code with its doubts: 'nre 1300A400000024 ?length'. An NRE or a codice fiscale goes without its kind. */
function written({ kind, value, doubts, pin }: FoundCode): string {
  const name = kind === 'nre' || kind === 'tax_code' ? [] : [kind]
  const all = [...name, value, ...(pin ? [`pin ${pin}`] : []), ...doubts.map((each) => `?${each}`)]
  return all.join(' ')
}

/** 'person: prescription, prescription | person'; a dash for a person who is not known. */
function read(text: string): string {
  return findPrescriptionCodes(text)
    .patients.map(({ identity, prescriptions }) =>
      [
        identity ? written(identity) : '-',
        ...(prescriptions.length > 0 ? [prescriptions.map(written).join(', ')] : []),
      ].join(': '),
    )
    .join(' | ')
}

const NRE = '1300A4000000248'
const OTHER_NRE = '1200A1234567890'
const MARIO = 'RSSMRA79B11C566R'
const IRMA = 'PNIMRA70A01H501P'

/** A text, and what is found in it. */
const cases: readonly (readonly [string, string])[] = [
  // An NRE, as people type it.
  ['1300A4000000248', `-: ${NRE}`],
  ['1300a4000000248', `-: ${NRE}`],
  ['1300A 4000000248', `-: ${NRE}`],
  ['1300a  4000000248', `-: ${NRE}`],
  ['1300A-4000000248', `-: ${NRE}`],
  ['1300A – 4000000248', `-: ${NRE}`],
  ['1300A\n4000000248', `-: ${NRE}`],
  ['1300A\r\n4000000248', `-: ${NRE}`],
  ['1300A\t4000000248', `-: ${NRE}`],
  ['*1300A* *4000000248*', `-: ${NRE}`],
  ['*1300A**4000000248*', `-: ${NRE}`],
  ['*1300A*\n*4000000248*', `-: ${NRE}`],
  ['*1300A4000000248*', `-: ${NRE}`],
  ['_1300A4000000248_', `-: ${NRE}`],
  ['130 0A 4000000248', `-: ${NRE}`],
  ['130-0A-4000000248', `-: ${NRE}`],
  ['1300A 40000 00248', `-: ${NRE}`],
  ['1300A 400 000 0248', `-: ${NRE}`],
  ['1300 A400 0000 248', `-: ${NRE}`],
  ['130 0A4 000 000 248', `-: ${NRE}`],
  ['1 3 0 0 A 4 0 0 0 0 0 0 2 4 8', `-: ${NRE}`],
  ['1300A.4000000248', `-: ${NRE}`],
  ['1300A/4000000248', `-: ${NRE}`],
  ['1300A\u200e4000000248', `-: ${NRE}`],
  ['\u200e1300A4000000248\u200f', `-: ${NRE}`],
  ['(1300A4000000248)', `-: ${NRE}`],
  ['"1300A4000000248".', `-: ${NRE}`],
  ['NRE 1300A4000000248', `-: ${NRE}`],
  ['NRE:1300A4000000248', `-: ${NRE}`],
  ['nre=1300a4000000248', `-: ${NRE}`],
  ['N.R.E. 1300A 4000000248', `-: ${NRE}`],
  ['NRE1300A4000000248', `-: ${NRE}`],
  ['numero ricetta: 1300A4000000248', `-: ${NRE}`],
  ['ricetta n° 1300A4000000248 grazie', `-: ${NRE}`],
  ['Buongiorno, le mando la ricetta 1300A4000000248, passo domani', `-: ${NRE}`],
  ['1300A4000000248 2 scatole', `-: ${NRE}`],
  ['1300A 4000000248 3 scatole', `-: ${NRE}`],
  ['2 scatole 1300A4000000248', `-: ${NRE}`],
  ['0500B4012345678', '-: 0500B4012345678'],
  ['030AB4012345678', '-: 030AB4012345678'],
  ['2000A0000000001', '-: 2000A0000000001'],
  ['0411A4000000001', '-: 0411A4000000001'],
  // Several of them.
  [`${NRE} ${OTHER_NRE}`, `-: ${NRE}, ${OTHER_NRE}`],
  [`${NRE},${OTHER_NRE}`, `-: ${NRE}, ${OTHER_NRE}`],
  [`${NRE}\n${OTHER_NRE}\n${NRE}`, `-: ${NRE}, ${OTHER_NRE}`],
  [`1) 1300A 4000000248\n2) 1200A 1234567890`, `-: ${NRE}, ${OTHER_NRE}`],
  ['*1300A* *4000000248* *1200A* *1234567890*', `-: ${NRE}, ${OTHER_NRE}`],
  [`- ${NRE}\n- ${OTHER_NRE}`, `-: ${NRE}, ${OTHER_NRE}`],
  // An NRE that is not certain.
  ['13O0A4000000248', `-: ${NRE} ?lookalike`],
  ['13ooa4000000248', '-: 130OA4000000248 ?lookalike'],
  ['1300A40OOOO0248', `-: ${NRE} ?lookalike`],
  ['130OA4000000248', '-: 130OA4000000248 ?lookalike'],
  ['1300A400000024', '-: 1300A400000024 ?length'],
  ['1300A 400000024', '-: 1300A400000024 ?length'],
  ['1300A40000002481', '-: 1300A40000002481 ?length'],
  ['*1300A* *400000024*', '-: 1300A400000024 ?length'],
  ['NRE 1300A40000', '-: 1300A40000 ?length'],
  ['NRE: 1300A 4000 0002', '-: 1300A40000002 ?length'],
  ['NRE 0300TEST001', '-: 0300TEST001 ?length'],
  ['0300TEST001', ''],
  ['NRE 1300A40000B0248', '-: 1300A40000B0248 ?form'],
  ['nre 3331234567', '-: 3331234567 ?length ?phone'],
  ['NRE: 8001090000019', '-: 8001090000019 ?length ?ean'],
  ['NRE: 8001090000014', '-: 8001090000014 ?length'],
  ['codice ricetta 12345678901234', '-: 12345678901234 ?length'],
  ['2100A4000000248', '-: 2100A4000000248 ?region'],
  ['9990A4000000248', '-: 9990A4000000248 ?region'],
  ['0000A4000000248', '-: 0000A4000000248 ?region'],
  ['130004000000248', '-: 130004000000248 ?digits_only'],
  ['NRE 130004000000248', '-: 130004000000248'],
  ['*13000* *4000000248*', '-: 130004000000248 ?digits_only'],
  ['ordine 1042A 3471234567', '-: 1042A3471234567 ?phone'],
  // A codice fiscale, as people type it.
  ['RSSMRA79B11C566R', MARIO],
  ['rssmra79b11c566r', MARIO],
  ['cf RSSMRA79B11C566R', MARIO],
  ['C.F.: RSSMRA79B11C566R', MARIO],
  ['codice fiscale rssmra79b11c566r.', MARIO],
  ['RSS MRA 79B11 C566R', MARIO],
  ['RSS MRA 79B11 C566 R', MARIO],
  ['rss mra 79 b 11 c566 r', MARIO],
  ['RSSMRA 79B11 C566R', MARIO],
  ['RSSMRA-79B11-C566-R', MARIO],
  ['RSSMRA79B11\nC566R', MARIO],
  ['*RSSMRA79B11C566R*', MARIO],
  ['R S S M R A 7 9 B 1 1 C 5 6 6 R', MARIO],
  ['CTTPSC84D15F205E', 'CTTPSC84D15F205E'],
  ['RSSMRA80A01H501U', 'RSSMRA80A01H501U'],
  ['RSSMRA85T10A562S', 'RSSMRA85T10A562S'],
  ['MRTMTT91D08F205J', 'MRTMTT91D08F205J'],
  ['rssbbr69c48f839a', 'RSSBBR69C48F839A'],
  // Omocodia: the same person with letters in place of digits.
  ['RSSMRA79B11C56SO', 'RSSMRA79B11C56SO'],
  ['RSSMRA79B11C5SSA', 'RSSMRA79B11C5SSA'],
  ['RSSMRA79B11CRSSV', 'RSSMRA79B11CRSSV'],
  ['RSSMRA79B1MCRSSN', 'RSSMRA79B1MCRSSN'],
  ['RSSMRA79BMMCRSSY', 'RSSMRA79BMMCRSSY'],
  ['RSSMRA7VBMMCRSSK', 'RSSMRA7VBMMCRSSK'],
  ['RSSMRATVBMMCRSSH', 'RSSMRATVBMMCRSSH'],
  ['rssmra79b11c5ssa', 'RSSMRA79B11C5SSA'],
  ['RSS MRA 79B11 C56SO', 'RSSMRA79B11C56SO'],
  // A codice fiscale that is not certain.
  ['RSSMRA79B11C566A', 'RSSMRA79B11C566A ?check'],
  ['RSSMRA79B12C566R', 'RSSMRA79B12C566R ?check'],
  ['RSS MRA 79B11 C566A', 'RSSMRA79B11C566A ?check'],
  ['PROVAX00X00X000Y', 'PROVAX00X00X000Y ?birth_date'],
  ['RSSMRA79B32C566Y', 'RSSMRA79B32C566Y ?birth_date'],
  ['RSSMRA79B11C56R', 'RSSMRA79B11C56R ?length'],
  ['RSSMRA79B11C566', 'RSSMRA79B11C566 ?length'],
  ['RSSMRA79B11C5667R', 'RSSMRA79B11C5667R ?length'],
  ['RSSMR79B11C566R', 'RSSMR79B11C566R ?length'],
  ['cf RSSMRA79B11', 'RSSMRA79B11 ?length'],
  ['RSSMRA8OAO1H5O1U', 'RSSMRA80A01H501U ?lookalike'],
  ['cf RSSM1A79B11C566R', 'RSSM1A79B11C566R ?form'],
  // Other codes of people.
  ['codice fiscale 12345678903', 'temporary_tax_code 12345678903'],
  ['cf provvisorio: 12345678903', 'temporary_tax_code 12345678903'],
  ['cf 12345678904', 'temporary_tax_code 12345678904 ?check'],
  ['12345678903', ''],
  ['P.IVA 12345678903', ''],
  ['STP1234567890123', 'stp STP1234567890123'],
  ['stp 123 456 7890123', 'stp STP1234567890123'],
  ['STP: 1234567890123', ''],
  ['ENI0301234567890', 'eni ENI0301234567890'],
  ['eni o3o1234567890', 'eni ENI0301234567890 ?lookalike'],
  [`STP1234567890123 ${NRE}`, `stp STP1234567890123: ${NRE}`],
  // The white prescription.
  ['NRBE Z0A1B2C3D4E5 PIN 1234', '-: nrbe Z0A1B2C3D4E5 pin 1234'],
  ['nrbe: z0a1b2c3d4e5 pin: 12345', '-: nrbe Z0A1B2C3D4E5 pin 12345'],
  ['Z0A1B2C3D4E5\nPin 1234', '-: nrbe Z0A1B2C3D4E5 pin 1234'],
  ['NRBE Z0A1B2C3D4E5', '-: nrbe Z0A1B2C3D4E5 ?no_pin'],
  ['NRBE 123456789012 PIN 1234', '-: nrbe 123456789012 pin 1234'],
  ['Z0A1B2C3D4E5', ''],
  ['NRBE Z0A1B2C3D4E5 PIN 123', '-: nrbe Z0A1B2C3D4E5 ?no_pin'],
  [`${MARIO} NRBE Z0A1B2C3D4E5 PIN 1234`, `${MARIO}: nrbe Z0A1B2C3D4E5 pin 1234`],
  // Whose a prescription is.
  [`${MARIO} ${NRE}`, `${MARIO}: ${NRE}`],
  [`${NRE} ${MARIO}`, `${MARIO}: ${NRE}`],
  [`${MARIO}\n${NRE}\n${OTHER_NRE}`, `${MARIO}: ${NRE}, ${OTHER_NRE}`],
  [`${NRE}\n${OTHER_NRE}\n${MARIO}`, `${MARIO}: ${NRE}, ${OTHER_NRE}`],
  [`${NRE}\n${MARIO}\n${OTHER_NRE}`, `${MARIO}: ${NRE}, ${OTHER_NRE}`],
  [`${MARIO} ${NRE}\n${IRMA} ${OTHER_NRE}`, `${MARIO}: ${NRE} | ${IRMA}: ${OTHER_NRE}`],
  [`${MARIO}\n${NRE}\n${IRMA}\n${OTHER_NRE}`, `${MARIO}: ${NRE} | ${IRMA}: ${OTHER_NRE}`],
  [`${NRE}\n${MARIO}\n${OTHER_NRE}\n${IRMA}`, `${MARIO}: ${NRE} | ${IRMA}: ${OTHER_NRE}`],
  [`${NRE} ${MARIO} ${OTHER_NRE} ${IRMA}`, `${MARIO}: ${NRE} | ${IRMA}: ${OTHER_NRE}`],
  [`${MARIO} ${NRE}\n${OTHER_NRE} ${IRMA}`, `${MARIO}: ${NRE} | ${IRMA}: ${OTHER_NRE}`],
  [`${MARIO}\n${IRMA}\n${NRE}`, `${MARIO} | ${IRMA}: ${NRE}`],
  [`${MARIO} ${NRE}, ${MARIO} ${OTHER_NRE}`, `${MARIO}: ${NRE}, ${OTHER_NRE}`],
  [
    `Per me: cf rssmra79b11c566r nre 1300a 4000000248. Per mia moglie: cf pnimra70a01h501p nre 1200a 1234567890`,
    `${MARIO}: ${NRE} | ${IRMA}: ${OTHER_NRE}`,
  ],
  [`RSSMRA79B11C566A ${NRE}`, `RSSMRA79B11C566A ?check: ${NRE}`],
  [`${MARIO} 1300A400000024`, `${MARIO}: 1300A400000024 ?length`],
  [`${MARIO} 130004000000248`, `${MARIO}: 130004000000248`],
  // The doctor's codice fiscale is not the patient's.
  [
    `MEDICO: ROSSI MARIO CF ${MARIO}\nAssistito ${IRMA}\n${NRE}`,
    `${MARIO} ?doctor | ${IRMA}: ${NRE}`,
  ],
  [`${NRE}\nCodice fiscale del medico: ${MARIO}`, `${MARIO} ?doctor | -: ${NRE}`],
  [`Il mio medico mi ha mandato la ricetta ${NRE}, cf ${MARIO}`, `${MARIO}: ${NRE}`],
  // Typical mistakes, without a word before them.
  [`Per Rossi RSSMRA79BI1C566R`, `${MARIO} ?lookalike`],
  [`RSSMRA79B1IC566R ${NRE}`, `${MARIO} ?lookalike: ${NRE}`],
  [`RSSMRA79811C566R`, `RSSMRA79811C566R ?form`],
  [`RSSMRA79BB1C566R`, `RSSMRA79BB1C566R ?form`],
  [`RSSMRA79B1 1C566R ${NRE}`, `${MARIO}: ${NRE}`],
  [`ricetta I300A4000000248`, `-: ${NRE} ?lookalike`],
  [`ricetta 1300A4000000 248`, `-: ${NRE}`],
  [`NRE 1300A400 0000248`, `-: ${NRE}`],
  [`STP123456789012`, `stp STP123456789012 ?length`],
  [`MEDICO PRESCRITTORE: ROSSI MARIO, VIA GARIBALDI 12; CF ${MARIO}`, `${MARIO} ?doctor`],
  // Without a space between them.
  [`${MARIO}${NRE}${OTHER_NRE}`, `${MARIO}: ${NRE}, ${OTHER_NRE}`],
  [`NRE ${NRE}${OTHER_NRE}`, `-: ${NRE}, ${OTHER_NRE}`],
  [`${NRE}${MARIO}`, `${MARIO}: ${NRE}`],
  // What is none.
  ['', ''],
  ['Tachipirina 1000 mg, 2 scatole. Grazie!', ''],
  ['333 1234567', ''],
  ['+39 333 123 45 67 oppure 06 1234567', ''],
  ['8001090000019', ''],
  ['Via Roma 100 A 3331234567 2 confezioni', ''],
  ['Via Po 3, 10121 Torino 3471234567', ''],
  ['00185 3471234567', ''],
  ['80380001234567890123', ''],
  ['Tessera sanitaria 80380 00123 45678 90123', ''],
  ['IT60X0542811101000000123456', ''],
  ['A012345678 AIC 023605114', ''],
  ['4111 1111 1111 1111', ''],
  ['3782 822463 10005', ''],
  ['€ 12,50 + 3,90 = 16,40', ''],
  ['dal 12/03/2026 al 15/03/2026', ''],
  ['1300A4000000248B', ''],
  ['X1300A4000000248', ''],
  ['ristrutturazione', ''],
  ['🙂🙂 \ud83d grazie', ''],
]

describe('codes in a text', () => {
  it.each(cases)('%j', (text, expected) => {
    expect(read(text)).toBe(expected)
    if (expected !== '') expect(mayHaveCodes(text)).toBe(true)
  })

  it('are at their places', () => {
    const text = `Ciao 🙂 *1300A* *4000000248* cf ${MARIO}, e ancora ${MARIO}`
    const places = findPrescriptionCodes(text).codes.map(({ start, end }) => text.slice(start, end))
    expect(places).toEqual(['1300A* *4000000248', MARIO, MARIO])
  })

  it.each([
    `MEDICO PRESCRITTORE: ${'ROSSI MARIA VIA GARIBALDI '.repeat(150)}CF ${MARIO}`,
    `Medico ${'A'.repeat(4_000)}; ${MARIO}`,
    '1 '.repeat(50_000),
    `${NRE} `.repeat(6_000),
    `${MARIO} `.repeat(6_000),
  ])('are found in a hostile text, within the time of a test', (text) => {
    expect(findPrescriptionCodes(text).codes.length).toBeLessThan(2_000)
  })

  it('are found in a long text', () => {
    const text = `${'Via Roma 12, tel 333 1234567 '.repeat(600)}${NRE}`
    expect(read(text)).toBe(`-: ${NRE}`)
  })
})

describe('bars', () => {
  it('are in the order in which the software of pharmacies asks for them', () => {
    const [patient] = findPrescriptionCodes(`${NRE} ${MARIO}`).patients
    const codes = patient?.identity ? [patient.identity, ...patient.prescriptions] : []
    expect(codes.flatMap(barsOf)).toEqual([MARIO, '1300A', '4000000248'])
  })
})

/** A repeatable series of numbers below `most`. */
function series(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * most)
  }
}

/** Orders as customers write them, without a prescription. */
function orderText(next: (most: number) => number): string {
  const digits = (count: number) => Array.from({ length: count }, () => next(10)).join('')
  const one = (...texts: readonly string[]) => texts[next(texts.length)] ?? ''
  const parts = [
    () =>
      `${one('tel', 'cell.', 'telefono:', 'il mio numero è')} ${one('3', '+39 3', '00393')}${digits(9)}`,
    () => `3${digits(2)} ${digits(7)}`,
    () => `0${digits(1)} ${digits(7)}`,
    () => `${next(90)},${digits(2)} €`,
    () => `${one('EAN', 'codice', 'cod.', 'barcode')} 80${digits(11)}`,
    () => `80${digits(11)}`,
    () => `AIC ${digits(9)}`,
    () =>
      `${one('Via Roma', 'Corso Italia', 'Piazza Dante')} ${1 + next(300)}${one('', '/A', ' B', 'bis')}`,
    () => `${digits(5)} ${one('Torino', 'Milano', 'Roma', 'Bari')}`,
    () => `${one('ordine', 'ordine n.', '#', 'ORD-')}${1 + next(99_999)}`,
    () => `ordine ${20_260_000_000 + next(9_999)}`,
    () =>
      `${1 + next(5)} ${one('scatole di', 'conf.', 'x')} ${one('Tachipirina 1000', 'Moment 200', 'Vitamina D3 10000 UI', 'OKI', 'Enterogermina 2 miliardi')}`,
    () =>
      one(
        'Grazie mille',
        'Passo domani alle 17',
        'per mia madre',
        'Buongiorno',
        'la ricetta la porto io',
      ),
    () => `${1 + next(28)}/${1 + next(12)}/2026`,
    () => `P. IVA ${digits(11)}`,
    () => `TS 80380${digits(15)}`,
    () => `IT${digits(2)}X${digits(22)}`,
  ]
  const count = 3 + next(7)
  return Array.from({ length: count }, () => parts[next(parts.length)]?.() ?? '').join(
    one(', ', ' ', '\n', '. '),
  )
}

it('no NRE is found in ten thousand orders without one', () => {
  const next = series(20_261_129)
  const wrong: string[] = []
  for (let index = 0; index < 10_000; index += 1) {
    const text = orderText(next)
    if (findPrescriptionCodes(text).codes.length > 0) wrong.push(text)
  }
  expect(wrong).toEqual([])
})

it('all codes of a text are hidden where others see it', () => {
  const text =
    'Tachipirina. NRE 1300A 4000000248, cf rssmra79b11c566r e 13O0A4000000249 (333 1234567)'
  expect(hideCodes(text)).toBe('Tachipirina. NRE [codice], cf [codice] e [codice] (333 1234567)')
  expect(hideCodes('NRBE A12345678901 PIN 1234')).toBe('NRBE [codice] PIN [codice]')
  expect(hideCodes('Senza ricetta')).toBe('Senza ricetta')
})
