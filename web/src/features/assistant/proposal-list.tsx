import { Check, TriangleAlert, Undo2, X } from 'lucide-react'
import { type RefObject, useRef } from 'react'
import { useFocusFallback } from '../../lib/use-focus-fallback.ts'
import { Button } from '../../ui/button.tsx'
import { cn } from '../../ui/class-names.ts'
import type { ProductTexts } from './product-texts.ts'
import { type FieldValues, type Proposal, type ProposedField, validValues } from './proposals.ts'
import type { Draft } from './use-product-draft.ts'

const labels: Record<ProposedField, string> = {
  description: 'Descrizione',
  price: 'Prezzo',
  code: 'Codice',
}
const named: Record<ProposedField, string> = {
  description: 'la descrizione',
  price: 'il prezzo',
  code: 'il codice',
}

type ProposalListProps = {
  draft: Draft
  texts: ProductTexts
  fields: readonly ProposedField[]
  canUndo: boolean
  onTake: (values: FieldValues) => void
  onUndo: () => void
  onClose: () => void
  focusFallback: RefObject<HTMLElement | null>
}

/** The assistant's proposals, to be applied one by one; unusable ones show the reason. */
export function ProposalList(props: ProposalListProps) {
  const { draft, texts, fields, canUndo, onTake, onUndo, onClose, focusFallback } = props
  const { name, proposals } = draft
  const all = useRef<HTMLButtonElement>(null)
  const place = useFocusFallback(focusFallback)
  const sound = validValues(proposals, fields)
  const untaken = fields.filter((field) => field in sound && texts[field] !== sound[field])
  const nothing = fields.every((field) => proposals[field] === undefined)

  return (
    <div ref={place} className="rounded-card border border-line bg-surface">
      <div className="flex items-center justify-between gap-3 border-b border-line py-2 pr-2 pl-4">
        <h2 className="my-1.5 line-clamp-2 text-sm font-medium wrap-anywhere">
          Proposta per «{name}»
        </h2>
        <Button look="quiet" size="square" aria-label="Chiudi la proposta" onClick={onClose}>
          <X aria-hidden />
        </Button>
      </div>
      {nothing ? (
        <p className="px-4 py-3 text-sm text-muted">
          Nessuna proposta per questo prodotto: prova con un nome più preciso.
        </p>
      ) : (
        <dl className="divide-y divide-line">
          {fields.map((field) => (
            <ProposalRow
              key={field}
              field={field}
              proposal={proposals[field]}
              taken={texts[field] === proposals[field]?.value}
              onTake={(value) => onTake({ [field]: value })}
            />
          ))}
        </dl>
      )}
      {nothing ? null : (
        <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-3">
          <p className="min-w-0 flex-1 basis-56 text-sm text-pretty text-muted">
            {texts.name.trim() === name
              ? "Controlla prezzo e codice prima di usarli: l'AI può sbagliare."
              : 'Il nome del prodotto è cambiato: questa proposta è per quello di prima.'}
          </p>
          <div className="flex flex-wrap gap-2">
            {canUndo ? (
              <Button
                onClick={() => {
                  // The button disappears when nothing is left to undo.
                  all.current?.focus()
                  onUndo()
                }}
              >
                <Undo2 aria-hidden />
                <span>
                  Annulla<span className="sr-only"> e rimetti i testi di prima</span>
                </span>
              </Button>
            ) : null}
            <Button ref={all} inactive={untaken.length === 0} onClick={() => onTake(sound)}>
              Usa tutto
            </Button>
          </div>
        </div>
      )}
    </div>
  )
}

type ProposalRowProps = {
  field: ProposedField
  proposal: Proposal | undefined
  taken: boolean
  onTake: (value: string) => void
}

function ProposalRow({ field, proposal, taken, onTake }: ProposalRowProps) {
  const { value = null, problem = null, suggested = '' } = proposal ?? {}
  return (
    <div
      className={cn(
        'grid grid-cols-[minmax(0,1fr)_auto] gap-x-4 gap-y-0.5 px-4 py-3',
        // On a phone a long text needs the whole width.
        field === 'description' && 'max-sm:grid-cols-1',
      )}
    >
      <dt className="col-start-1 text-sm text-muted">{labels[field]}</dt>
      <dd className="col-start-1 min-w-0">
        {proposal === undefined ? (
          <span className="text-muted">Non proposto</span>
        ) : value === null ? (
          <s className="text-muted wrap-anywhere">{suggested}</s>
        ) : (
          <span
            className={cn(
              'whitespace-pre-line wrap-anywhere',
              field !== 'description' && 'tabular-nums',
            )}
          >
            {field === 'price' ? `${value} €` : value}
          </span>
        )}
        {problem === null ? null : (
          <span className="mt-1 flex gap-1.5 text-sm text-pending">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
            <span>
              {value === null ? 'Non utilizzabile: ' : 'Attenzione: '}
              {problem}
            </span>
          </span>
        )}
      </dd>
      {value === null ? null : (
        <dd
          className={
            field === 'description'
              ? 'max-sm:mt-2 sm:col-start-2 sm:row-span-2 sm:row-start-1 sm:self-center'
              : 'col-start-2 row-span-2 row-start-1 self-center'
          }
        >
          <Button inactive={taken} onClick={() => onTake(value)}>
            {taken ? <Check aria-hidden /> : null}
            <span>
              {taken ? 'Usato' : 'Usa'}
              <span className="sr-only"> {named[field]}</span>
            </span>
          </Button>
        </dd>
      )}
    </div>
  )
}
