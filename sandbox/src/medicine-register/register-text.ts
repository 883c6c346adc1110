import type { RegisteredPack } from './registered-packs.ts'

const columns = [
  'CODICE_AIC',
  'COD_FARMACO',
  'COD_CONFEZIONE',
  'DENOMINAZIONE',
  'DESCRIZIONE',
  'CODICE_DITTA',
  'RAGIONE_SOCIALE',
  'STATO_AMMINISTRATIVO',
  'TIPO_PROCEDURA',
  'FORMA',
  'CODICE_ATC',
  'PA_ASSOCIATI',
  'FORNITURA',
  'LINK_FI',
  'LINK_RCP',
]

/** The file of the register, with these packs. */
export function registerText(packs: readonly RegisteredPack[]): string {
  const rows = packs.map(({ code, name, pack, supply, state = 'Autorizzata' }) => [
    code,
    code.slice(0, 6),
    code.slice(6),
    name,
    pack,
    '0001',
    'DITTA DI PROVA S.P.A.',
    state,
    'Nazionale',
    '',
    '',
    '',
    supply,
    '',
    '',
  ])
  return [columns, ...rows].map((row) => `${row.map(quoted).join(';')}\r\n`).join('')
}

function quoted(value: string): string {
  return /[";\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value
}
