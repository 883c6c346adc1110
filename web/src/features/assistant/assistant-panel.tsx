import { Sparkles } from 'lucide-react'
import { type RefObject, useRef, useState } from 'react'
import { useFocusHeir } from '../../lib/use-focus-heir.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import { canPass, draftFailure } from './draft-failure.ts'
import type { ProductTexts } from './product-texts.ts'
import { ProposalList } from './proposal-list.tsx'
import { type ProposedField, proposedFields } from './proposals.ts'
import { Seconds } from './seconds.tsx'
import { useProductDraft } from './use-product-draft.ts'
import { useTaken } from './use-taken.ts'

type AssistantPanelProps = {
  texts: ProductTexts
  onChange: (change: Partial<ProductTexts>) => void
  /** There is no name to begin from: leads to where it is typed. */
  onNameMissing: () => void
  /** A code of the assistant was taken over, or the one before was put back. */
  onCode?: (code: string) => void
  /** Something was taken over of a product whose code the assistant does not know, nor anybody else. */
  onCodeless?: () => void
  /** What is wanted of it. */
  fields?: readonly ProposedField[]
}

/** Has texts for a product proposed from its name. Nothing stands in a field that nobody has taken over. */
export function AssistantPanel(props: AssistantPanelProps) {
  const { texts, onChange, onNameMissing, onCode, onCodeless, fields = proposedFields } = props
  const button = useRef<HTMLButtonElement>(null)
  // Each is a new one, so that the same words are read out again.
  const [nameless, setNameless] = useState(0)
  const { run, draft, ask, stop, close } = useProductDraft()
  const taken = useTaken(texts, onChange)
  const running = run.state === 'running'

  function generate() {
    if (running) return
    if (texts.name.trim() === '') {
      setNameless(nameless + 1)
      onNameMissing()
      return
    }
    setNameless(0)
    ask(texts)
  }

  return (
    <section aria-label="Proposta dell'AI" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button ref={button} look="primary" inactive={running} onClick={generate}>
          <Sparkles aria-hidden />
          {running ? 'Generazione…' : 'Genera con AI'}
        </Button>
        {running ? <Running onCancel={stop} heir={button} /> : null}
      </div>
      <p role="status" className="sr-only">
        {running ? 'Generazione in corso' : null}
        {run.state === 'done' ? 'La proposta è pronta' : null}
      </p>
      {nameless > 0 && texts.name.trim() === '' ? (
        <Alert key={nameless} tone="error">
          <p className="font-medium">Nome prodotto mancante</p>
          <p>Inserisci prima il nome del prodotto per generare una descrizione</p>
        </Alert>
      ) : null}
      {run.state === 'failed' ? (
        <Failure error={run.error} onAgain={generate} heir={button} />
      ) : null}
      {draft ? (
        <ProposalList
          draft={draft}
          texts={texts}
          fields={fields}
          canUndo={taken.canUndo}
          onTake={(values) => {
            taken.take(values)
            if (values.code !== undefined) onCode?.(values.code)
            else if (!draft.proposals.code?.value && texts.code.trim() === '') onCodeless?.()
          }}
          onUndo={() => {
            const { code } = taken.undo()
            if (code !== undefined) onCode?.(code)
          }}
          onClose={close}
          heir={button}
        />
      ) : null}
    </section>
  )
}

type PartProps = { heir: RefObject<HTMLElement | null> }

function Running({ onCancel, heir }: PartProps & { onCancel: () => void }) {
  const place = useFocusHeir(heir)
  return (
    <div ref={place} className="flex items-center gap-3 text-sm text-muted">
      <Button onClick={onCancel}>Annulla</Button>
      <Seconds />
    </div>
  )
}

type FailureProps = PartProps & { error: unknown; onAgain: () => void }

function Failure({ error, onAgain, heir }: FailureProps) {
  const place = useFocusHeir(heir)
  const again = canPass(error) ? (
    <Button size="small" onClick={onAgain}>
      Riprova
    </Button>
  ) : null
  return (
    <div ref={place}>
      <Alert tone="error" action={again}>
        {draftFailure(error)}
      </Alert>
    </div>
  )
}
