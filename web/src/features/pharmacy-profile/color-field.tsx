import { type Accent, brandPalette, HexColor } from '@bancone/contract/brand-color'
import { useId } from 'react'
import { Button } from '../../ui/button.tsx'
import { TextField } from '../../ui/text-field.tsx'

type ColorFieldProps = {
  /** Empty for the colour of the application. */
  value: string
  error: string | undefined
  onChange: (color: string) => void
}

/** The colour of the application. */
const USUAL = '#0b7a4b'

/** The brand colour, with how it looks on light and on dark pages. */
export function ColorField({ value, error, onChange }: ColorFieldProps) {
  const id = useId()
  const parsed = HexColor.safeParse(value)
  const palette = parsed.success ? brandPalette(parsed.data) : null
  const isDarkened = palette !== null && palette.light.accent !== parsed.data
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-end gap-2">
        <input
          type="color"
          aria-label="Scegli il colore"
          aria-describedby={`${id}-note`}
          value={parsed.success ? parsed.data : USUAL}
          onChange={({ target }) => onChange(target.value)}
          className="h-12 w-14 shrink-0 cursor-pointer rounded-control border border-control bg-surface p-1"
        />
        <TextField
          label="Colore"
          className="w-36"
          placeholder={USUAL}
          autoComplete="off"
          spellCheck={false}
          value={value}
          error={error}
          onChange={({ target }) => onChange(target.value)}
        />
        {value === '' ? null : (
          <Button className="h-12 md:h-12" onClick={() => onChange('')}>
            Togli
          </Button>
        )}
      </div>
      <p id={`${id}-note`} role="status" className="text-sm text-pretty text-muted">
        {palette === null
          ? 'Senza un colore la pagina ha quello di Bancone.'
          : isDarkened
            ? `È troppo chiaro perché i testi si leggano: sulle pagine chiare diventa ${palette.light.accent}.`
            : 'I testi si leggono bene. Nel tema scuro il colore diventa più chiaro, se serve.'}
      </p>
      {palette ? (
        <div aria-hidden className="flex flex-wrap gap-2">
          <Sample accent={palette.light} ground="#ffffff" />
          <Sample accent={palette.dark} ground="#161a18" />
        </div>
      ) : null}
    </div>
  )
}

function Sample({ accent, ground }: { accent: Accent; ground: string }) {
  return (
    <div
      className="flex items-center gap-3 rounded-card border border-line px-3 py-2.5 text-sm font-medium"
      style={{ background: ground, color: accent.accent }}
    >
      <span
        className="rounded-control px-3 py-1.5"
        style={{ background: accent.accent, color: accent.on }}
      >
        Ordina
      </span>
      <span className="rounded-control px-2 py-1.5" style={{ background: accent.soft }}>
        Chiama
      </span>
    </div>
  )
}
