import { type ComponentProps, useState } from 'react'
import { TextField } from './text-field.tsx'

/** A number with points between its thousands. */
const GROUPED = /^-?\d{1,3}(\.\d{3})+(,\d*)?$/

/** With a decimal comma or point. */
const PLAIN = /^-?\d+([.,]\d*)?$/

function plainNumber(text: string): number {
  return Number((GROUPED.test(text) ? text.replaceAll('.', '') : text).replace(',', '.'))
}

/** The number in a text with a decimal comma or point; 0 for anything else. */
function numberIn(text: string): number {
  const number = plainNumber(text.trim())
  return Number.isFinite(number) ? number : 0
}

/** The number in a text; the text itself if it is none. */
function numberOrText(text: string): number | string {
  const trimmed = text.trim()
  return GROUPED.test(trimmed) || PLAIN.test(trimmed) ? plainNumber(trimmed) : text
}

/** Amounts have two decimals. What has more is shown as it is, so that its error can be understood. */
function textOf(value: number | string, decimals: boolean): string {
  if (typeof value === 'string') return value
  const amount = value.toFixed(2)
  return (decimals && Number(amount) === value ? amount : String(value)).replace('.', ',')
}

type NumberFieldProps = Omit<
  ComponentProps<typeof TextField>,
  'type' | 'inputMode' | 'value' | 'onChange' | 'onBlur'
> & {
  /** A text only where there is `onText`. */
  value: number | string
  /** An amount, such as a price, instead of a whole number. */
  decimals?: boolean
  onChange: (value: number) => void
  /** Called instead of `onChange` with a text that is no number, which then stays. Without it such a text counts as 0. */
  onText?: (text: string) => void
  onBlur?: () => void
}

/** A field for a number in Italian notation. */
export function NumberField({
  value,
  decimals = false,
  onChange,
  onText,
  onBlur,
  ...rest
}: NumberFieldProps) {
  const valueIn = onText ? numberOrText : numberIn
  /** What is being typed; null when the field shows its value. */
  const [typed, setTyped] = useState<string | null>(null)
  // The value was changed by other means meanwhile.
  if (typed !== null && valueIn(typed) !== value) setTyped(null)
  return (
    <TextField
      {...rest}
      inputMode={decimals ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={typed ?? textOf(value, decimals)}
      onChange={({ target }) => {
        setTyped(target.value)
        const next = valueIn(target.value)
        if (typeof next === 'number') onChange(next)
        else onText?.(next)
      }}
      onBlur={() => {
        setTyped(null)
        onBlur?.()
      }}
    />
  )
}
