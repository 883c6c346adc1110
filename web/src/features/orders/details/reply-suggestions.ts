/** Example templates for a pharmacy without its own. They do not mention what was ordered. */
export const replySuggestions = [
  {
    title: 'Pronto per il ritiro',
    text: 'Gentile {nome}, il Suo ordine n. {numero} è pronto: può ritirarlo in farmacia quando vuole. A presto!',
  },
  {
    title: 'Ordine confermato',
    text: 'Gentile {nome}, il Suo ordine n. {numero} è confermato. Le scriveremo appena sarà pronto. Grazie!',
  },
  {
    title: 'Non disponibile',
    text: 'Gentile {nome}, per il Suo ordine n. {numero} ciò che ha chiesto al momento non è disponibile. Può rispondere qui o chiamarci per trovare insieme un’alternativa.',
  },
] as const
