const steps = [
  'Apri una farmacia e avvia una simulazione: vedi che cosa cambierebbe, e nulla viene scritto.',
  'Migra: gli ordini di Airtable vengono copiati nel database, a blocchi di 50. Un campo che non si può leggere resta fuori, un record illeggibile non viene importato: trovi in elenco il motivo e il rimedio.',
  'Verifica: ordini, colonne e immagini di Airtable e del database vengono confrontati uno per uno. Contare non basta.',
  'Passa alla fase Confronto, poi a Database: da quel momento le pagine leggono solo dal database. Le modifiche vanno ancora in Airtable, e si può tornare indietro.',
  'Dopo 14 giorni Airtable si può lasciare del tutto.',
]

export function HowItWorks() {
  return (
    <section
      aria-labelledby="how-it-works"
      className="flex flex-col gap-2.5 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <h2 id="how-it-works" className="text-lg leading-snug font-medium">
        Come Funziona
      </h2>
      <ol className="flex max-w-prose list-decimal flex-col gap-1.5 pl-5 text-sm text-pretty text-muted">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      <p className="max-w-prose text-sm text-pretty text-muted">
        «Migra Tutte» riguarda solo le farmacie con il backup attivo. Le operazioni continuano anche
        a pagina chiusa, e ogni amministratore vede le stesse.
      </p>
    </section>
  )
}
