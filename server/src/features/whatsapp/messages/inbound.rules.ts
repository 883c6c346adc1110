import { ORDER_CODE, ORDER_CODE_LENGTH, ORDER_CODE_SIGNS } from '@bancone/contract/order-codes'

/** Without accents, bold or full-width letters and invisible signs, which keyboards and people add. */
const plain = (text: string) => text.normalize('NFKD').replaceAll(/[\p{M}\p{Cf}]/gu, '')

const SIGN = `[${ORDER_CODE_SIGNS}${ORDER_CODE_SIGNS.toLowerCase()}]`

/** Also in pieces, such as 'ABC 234'. */
const NAMED_CODE = new RegExp(
  `\\bcod(?:ic[ei])?\\b([^a-z0-9]{0,20})(?:(?:dell\\W?)?ordine\\b|e\\b)?([^a-z0-9]{0,20})(${SIGN}(?:[ .*_-]?${SIGN}){${ORDER_CODE_LENGTH - 1}})(?![a-z0-9])`,
  'i',
)

const OPENING =
  /^[^a-z\n]*(?:(?:ciao|salve|buon ?giorno|buona ?sera)[^a-z\n]*)?vorrei (?:ordinare|prenotare)\b/im
const QUANTITY = /\bquantita\b\W*\d/i
const PRODUCT = /\b(?:prodotto|prezzo|equivalente)\b/i

/**
 * What looks like a code in a message, however it is written: it is one if the public page of the pharmacy has given it.
 */
export function possibleCodes(text: string): string[] {
  const words = plain(text)
    .toUpperCase()
    .match(/[A-Z0-9]+/g)
  const found = new Set<string>()
  words?.forEach((word, first) => {
    let joined = ''
    for (const next of words.slice(first, first + ORDER_CODE_LENGTH)) {
      joined += next
      if (joined.length >= ORDER_CODE_LENGTH) break
    }
    // Also without a space before or after it.
    for (const each of [
      joined,
      word.slice(0, ORDER_CODE_LENGTH),
      word.slice(-ORDER_CODE_LENGTH),
      word.replace(/^CODICE/, '').slice(0, ORDER_CODE_LENGTH),
    ])
      if (ORDER_CODE.test(each)) found.add(each)
  })
  return [...found]
}

/** The code that stands after the word 'codice'; undefined where it could be a word of the sentence. */
export function namedCode(text: string): string | undefined {
  const [, before = '', after = '', written = ''] = NAMED_CODE.exec(plain(text)) ?? []
  const code = written.replaceAll(/[ .*_-]/g, '')
  const isCode = /\d/.test(code) || code === code.toUpperCase() || `${before}${after}`.includes(':')
  return code !== '' && isCode ? code.toUpperCase() : undefined
}

/** Whether it is the prepared message of the public page, or what people have left of it. */
export function hasOrderWords(text: string): boolean {
  const written = plain(text)
  return OPENING.test(written) || (QUANTITY.test(written) && PRODUCT.test(written))
}

/** What is said out of politeness. */
const POLITE =
  /\b(?:grazie|mille|tante|per (?:favore|piacere|cortesia)|cortesemente|gentilmente|prego|ciao|salve|buon ?giorno|buona ?sera|saluti|cordiali|ok|va bene|scus[aei]|scusate|subito|adesso|ora)\b/g
/** How our own notices end, which people send back. */
const OWN = /\bper (?:non ricevere altri avvisi|smettere) (?:rispond|scriv)\w+ stop\b/g

/** The parts of a message, in plain lower case. */
function clausesOf(text: string): string[] {
  return plain(text)
    .toLowerCase()
    .split(/[.,;:!?()\n]+/)
    .map((clause) =>
      clause
        .replaceAll(/[^a-z\d]+/g, ' ')
        .replaceAll(OWN, '')
        .replaceAll(POLITE, '')
        // 'stooop', 'stop stop'
        .replaceAll(/([a-z])\1{2,}/g, '$1')
        .replaceAll(/\b(\w+)(?:\s+\1\b)+/g, '$1')
        .replaceAll(/ +/g, ' ')
        .trim(),
    )
    .filter((clause) => clause !== '')
}

const NOTICES =
  '(?:messaggi|messaggini|avvisi|notifiche|comunicazioni|sms|whatsapp|pubblicita|promozioni|newsletter)\\b'
const BETWEEN =
  '(?:(?:di|con|i|gli|le|la|l|a|da|piu|altr[ie]|quest[ie]|vostr[ie]|tutt[ie]|ricevere|riceverne|nessuno?) )*'
const WISH_NOT =
  '\\bnon (?:ne )?(?:voglio|vogliamo|vorrei|desidero|desideriamo|gradisco|intendo|accetto) '

/** The whole of a message. */
const STOP =
  /^(?:stop|basta|annulla|unsubscribe|(?:cancella|rimuovi|cancellate|rimuovete|eliminate)mi)$/
/** A part of a message. */
const STOPS: readonly RegExp[] = [
  /^stop$/,
  /(?<!\bnon )\bdisiscriv\w+/,
  /\blascia(?:te)?mi in pace\b/,
  /\b(?:cancell|rimuov|togli|elimin)\w*mi da(?:lla|lle|i) /,
  /(?<!\bnon )\b(?:revoco|revocare|ritiro|ritirare|tolgo) (?:il )?(?:mio )?consenso\b/,
  /\b(?:smett\w+|basta) (?:di|con) (?:scriver|mandar|inviar|contattar|disturbar|avvisar)\w+/,
  new RegExp(`^(?:stop|basta|niente|no) ${BETWEEN}${NOTICES}`),
  new RegExp(
    `(?<!\\bnon (?:mi )?)\\b(?:annull|disattiv|blocc|sospend|elimin|togli|ferm|interromp|cancell|rimuov)(?!\\w*at[oai]\\b)\\w* ${BETWEEN}(?:${NOTICES}|iscrizione\\b)`,
  ),
]
/** The same said with 'non'. */
const DENIALS: readonly RegExp[] = [
  new RegExp(`${WISH_NOT}${BETWEEN}${NOTICES}`),
  new RegExp(`${WISH_NOT}(?:piu )?(?:essere|venire) (?:piu )?(?:contattat|disturbat|avvisat)`),
  new RegExp(
    `\\bnon (?:mi |ci )?(?:mand|invi)(?:i|iate|ate|atemi|ateci|ar[emc]\\w*|ino) ${BETWEEN}(?:${NOTICES}|(?<=piu )(?:niente|nulla)\\b)`,
  ),
  /\bnon (?:mi |ci )?(?:scriv|contatt|disturb|avvis)(?:a|i|iate|ete|ate|etemi|atemi|er[emc]\w*|ar[emc]\w*) (?:\w+ )?piu\b/,
  /\bnon (?:scriv|contatt|disturb)(?:ermi|armi|etemi|atemi|ate)$/,
]
const START =
  /^(?:si )?(?:avvisami|avvisatemi|mi avvis[ai]|mi avvisate)(?: (?:pure|qui|su whatsapp|quando (?:e )?(?:pront[oa]|arriva)))?$/

/** What a customer asks for in their own words: no notices any more, or notices. */
export function wishOf(text: string): 'stop' | 'start' | undefined {
  const clauses = clausesOf(text)
  const said = clauses.join(' ')
  // 'Perché non mi mandate più avvisi?'
  const stops = /\b(?:perche|come mai)\b/.test(said) ? STOPS : [...STOPS, ...DENIALS]
  if (STOP.test(said) || clauses.some((clause) => stops.some((stop) => stop.test(clause))))
    return 'stop'
  return START.test(said) ? 'start' : undefined
}
