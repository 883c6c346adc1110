import { useState } from 'react'
import { cn } from '../../../ui/class-names.ts'
import { TextField } from '../../../ui/text-field.tsx'
import { LABELS_ON_SHEET } from './sheet-pages.ts'
import { SheetKind } from './sheets-address.ts'

const kinds: Record<SheetKind, { name: string; text: string }> = {
  volantino: { name: 'Volantino A4', text: 'Da distribuire o appendere in vetrina' },
  etichette: { name: 'Etichette', text: 'Per gli scaffali, 70 × 37 mm, 24 per foglio' },
}

type KindChoiceProps = { kind: SheetKind; onKind: (kind: SheetKind) => void }

export function KindChoice({ kind, onKind }: KindChoiceProps) {
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">Cosa stampi</legend>
      <div className="grid gap-2 sm:grid-cols-2 lg:grid-cols-1">
        {SheetKind.options.map((each) => (
          <label
            key={each}
            className={cn(
              'flex min-h-11 cursor-pointer items-start gap-3 rounded-card border bg-surface px-3 py-2.5 text-sm',
              each === kind ? 'border-accent' : 'border-line hover:bg-sunken',
            )}
          >
            <input
              type="radio"
              name="tipo"
              checked={each === kind}
              onChange={() => onKind(each)}
              className="mt-0.5 size-4 shrink-0 cursor-pointer accent-accent"
            />
            <span className="font-medium">
              {kinds[each].name}
              <span className="block font-normal text-muted">{kinds[each].text}</span>
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}

type FirstLabelProps = { first: number; onFirst: (first: number) => void }

/** First label, so that a partly used sheet can be continued. */
export function FirstLabel({ first, onFirst }: FirstLabelProps) {
  const [text, setText] = useState(String(first))
  return (
    <TextField
      label="Inizia dall’etichetta numero"
      hint="Se il foglio è già usato in parte: si conta da sinistra, riga per riga."
      error={placeOf(text) === null ? `Scrivi un numero da 1 a ${LABELS_ON_SHEET}` : undefined}
      inputMode="numeric"
      autoComplete="off"
      value={text}
      onChange={({ target }) => {
        setText(target.value)
        onFirst(placeOf(target.value) ?? 1)
      }}
    />
  )
}

/** Number of a label on a sheet; null when it is invalid. */
function placeOf(text: string): number | null {
  const place = /^\d{1,2}$/.test(text.trim()) ? Number(text) : 0
  return place >= 1 && place <= LABELS_ON_SHEET ? place : null
}
