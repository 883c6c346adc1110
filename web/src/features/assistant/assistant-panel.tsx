import { Sparkles } from 'lucide-react'
import { type RefObject, useEffect, useRef, useState } from 'react'
import { hasCode } from '../../lib/api.ts'
import { errorMessage } from '../../lib/messages.ts'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Alert } from '../../ui/alert.tsx'
import { Button } from '../../ui/button.tsx'
import type { ProductTexts } from './product-texts.ts'
import { ProposalList } from './proposal-list.tsx'
import { type FieldValues, type ProposedField, proposedFields } from './proposals.ts'
import { useProductDraft } from './use-product-draft.ts'

type AssistantPanelProps = {
  texts: ProductTexts
  onChange: (change: Partial<ProductTexts>) => void
  /** Called when the product has no name yet: focuses its field. */
  onNameMissing: () => void
  /** A proposed code was applied, or the previous one was restored. */
  onCode?: (code: string) => void
  /** A proposal without a code was applied, and the product has no code. */
  onCodeless?: () => void
  /** Fields to propose values for. */
  fields?: readonly ProposedField[]
}

/** Proposes texts for a product by its name. A proposal enters a field only when the user applies it. */
export function AssistantPanel(props: AssistantPanelProps) {
  const { texts, onChange, onNameMissing, onCode, onCodeless, fields = proposedFields } = props
  const button = useRef<HTMLButtonElement>(null)
  // Counts attempts, so that screen readers announce the same text again.
  const [nameless, setNameless] = useState(0)
  const { run, draft, request, stop, close } = useProductDraft()
  const taken = useAppliedProposals(texts, onChange)
  const running = run.state === 'running'

  function generate() {
    if (running) return
    if (texts.name.trim() === '') {
      setNameless(nameless + 1)
      onNameMissing()
      return
    }
    setNameless(0)
    request(texts)
  }

  return (
    <section aria-label="Proposta dell'AI" className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <Button ref={button} look="primary" inactive={running} onClick={generate}>
          <Sparkles aria-hidden />
          {running ? 'Generazione…' : 'Genera con AI'}
        </Button>
        {running ? <Running onCancel={stop} focusFallback={button} /> : null}
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
        <Failure error={run.error} onAgain={generate} focusFallback={button} />
      ) : null}
      {draft ? (
        <ProposalList
          draft={draft}
          texts={texts}
          fields={fields}
          canUndo={taken.canUndo}
          onTake={(values) => {
            taken.apply(values)
            if (values.code !== undefined) onCode?.(values.code)
            else if (!draft.proposals.code?.value && texts.code.trim() === '') onCodeless?.()
          }}
          onUndo={() => {
            const { code } = taken.undo()
            if (code !== undefined) onCode?.(code)
          }}
          onClose={close}
          focusFallback={button}
        />
      ) : null}
    </section>
  )
}

type PartProps = { focusFallback: RefObject<HTMLElement | null> }

function Running({ onCancel, focusFallback }: PartProps & { onCancel: () => void }) {
  const place = useFocusFallback(focusFallback)
  return (
    <div ref={place} className="flex items-center gap-3 text-sm text-muted">
      <Button onClick={onCancel}>Annulla</Button>
      <Seconds />
    </div>
  )
}

type FailureProps = PartProps & { error: unknown; onAgain: () => void }

function Failure({ error, onAgain, focusFallback }: FailureProps) {
  const place = useFocusFallback(focusFallback)
  const again = isRetryable(error) ? (
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

function message(error: unknown): string {
  // 'Errore API: 500' contains the status of the workflow, which only the response knows.
  if (hasCode(error, 'assistant.failed')) return error.message
  const text = errorMessage(error)
  return text.charAt(0).toLowerCase() + text.slice(1)
}

export function draftFailure(error: unknown): string {
  return `Impossibile generare i dati: ${message(error)}`
}

/** Retrying is useless while no assistant is configured. */
export function isRetryable(error: unknown): boolean {
  return !hasCode(error, 'assistant.not_configured')
}

/** Seconds since it was mounted; hidden from screen readers. */
function Seconds() {
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    const began = performance.now()
    const timer = setInterval(
      () => setSeconds(Math.floor((performance.now() - began) / 1000)),
      1_000,
    )
    return () => clearInterval(timer)
  }, [])
  return (
    <span aria-hidden className="tabular-nums">
      {seconds} s
    </span>
  )
}

/** Proposals that were applied to the fields, and how to undo them. */
function useAppliedProposals(
  texts: ProductTexts,
  onChange: (change: Partial<ProductTexts>) => void,
) {
  const [before, setBefore] = useState<FieldValues>({})
  const [applied, setApplied] = useState<FieldValues>({})
  // Fields that were edited since are not restored.
  const restorable = proposedFields.filter(
    (field) => before[field] !== undefined && texts[field] === applied[field],
  )

  return {
    canUndo: restorable.length > 0,
    apply(values: FieldValues) {
      const stood = { ...before }
      for (const field of proposedFields) {
        const value = values[field]
        const replaced = value !== undefined && texts[field] !== value
        // Applied twice: undo restores what was typed, and not the first proposal.
        if (replaced && texts[field] !== applied[field]) stood[field] = texts[field]
      }
      setBefore(stood)
      setApplied({ ...applied, ...values })
      onChange(values)
    },
    /** @returns the restored values */
    undo(): FieldValues {
      const change: FieldValues = {}
      for (const field of restorable) change[field] = before[field] ?? ''
      onChange(change)
      setBefore({})
      setApplied({})
      return change
    },
  }
}
