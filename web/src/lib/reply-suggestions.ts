/**
 * Example templates for a pharmacy without its own. They do not mention what was ordered. The first is chosen at first,
 * and must not bring a customer in vain.
 */
export const replySuggestions = [
  {
    title: 'Ordine confermato',
    text: 'Gentile {nome}, il Suo ordine n. {numero} è confermato. Le scriveremo appena sarà pronto. Grazie!',
  },
  {
    title: 'Pronto per il ritiro',
    text: 'Gentile {nome}, il Suo ordine n. {numero} è pronto: può ritirarlo in farmacia quando vuole. A presto!',
  },
  {
    title: 'Non disponibile',
    text: 'Gentile {nome}, per il Suo ordine n. {numero} ciò che ha chiesto al momento non è disponibile. Può rispondere qui o chiamarci per trovare insieme un’alternativa.',
  },
] as const
