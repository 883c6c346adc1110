import { Section } from '../section.tsx'

const definitions = [
  [
    'Visualizzazioni',
    'Quante volte è stata aperta la pagina pubblica delle offerte. Programmi, anteprime, personale e chi chiede di non essere contato sono esclusi.',
  ],
  [
    'Visitatori unici (giorno migliore)',
    'I visitatori diversi del giorno che ne ha avuti di più. Chi torna in un altro giorno non si può riconoscere: per questo i giorni non si sommano.',
  ],
  ['Media al giorno', 'La media dei visitatori di ogni giorno.'],
  ['Visita', 'Le visualizzazioni di un visitatore senza pause di più di 30 minuti.'],
  [
    'Ordini completati',
    'Gli ordini confermati e quelli prenotati, in giornata o per il giorno dopo. La percentuale è su tutti gli ordini.',
  ],
  ['Conversione', 'Gli ordini ogni 100 visualizzazioni, qualunque sia la strada da cui arrivano.'],
  [
    'Viste, aperte, WhatsApp, ordini',
    "Quante volte un'offerta è comparsa, è stata aperta, ha portato a un messaggio WhatsApp e, con i codici d'ordine, a un ordine. Sono eventi, non persone.",
  ],
  [
    'Confronto',
    'Periodi di ugual numero di giorni. Se il periodo finisce oggi, si confrontano le stesse ore. Se prima il valore era zero, la variazione è indicata come 100%.',
  ],
] as const

/** What each number of the report means. */
export function Definitions() {
  return (
    <Section title="Che cosa significano i numeri">
      <dl className="grid gap-x-8 gap-y-2 text-sm sm:grid-cols-2 print:grid-cols-2">
        {definitions.map(([term, text]) => (
          <div key={term} className="break-inside-avoid">
            <dt className="font-medium">{term}</dt>
            <dd className="text-pretty text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Section>
  )
}
