import { ExternalLink } from 'lucide-react'
import { CopyButton } from '../../ui/copy-button.tsx'
import { curlExample } from './api-example.ts'

/** Explains what API keys are for, and how to use one. */
export function ApiGuide() {
  const example = curlExample(location.origin)
  return (
    <section
      aria-labelledby="uso-delle-chiavi"
      className="flex flex-col gap-3 rounded-card border border-line bg-surface p-4 md:p-5"
    >
      <h2 id="uso-delle-chiavi" className="text-base font-medium">
        Come si usano
      </h2>
      <p className="max-w-prose text-sm text-pretty text-muted">
        Con una chiave un tuo programma, per esempio il sito della farmacia, invia ordini a Bancone:
        compaiono subito nell'elenco. Una chiave serve solo a questo: non legge gli ordini e non li
        modifica.
      </p>
      <pre
        // Focusable, so that the keyboard can scroll it sideways.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        aria-label="Esempio di comando"
        className="overflow-x-auto rounded-control border border-line bg-sunken p-3 font-mono text-xs leading-relaxed"
      >
        {example}
      </pre>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-2">
        <CopyButton label="Copia l'esempio" text={example} />
        <a
          href="/api/docs"
          target="_blank"
          rel="noopener noreferrer"
          className="inline-flex min-h-11 items-center gap-1.5 rounded text-sm font-medium text-accent underline-offset-4 hover:underline md:min-h-9 pointer-coarse:min-h-11"
        >
          Documentazione completa
          <ExternalLink aria-hidden className="size-4" />
          <span className="sr-only">(si apre in un'altra scheda)</span>
        </a>
      </div>
    </section>
  )
}
