import { type ComponentProps, useState } from 'react'
import { TextField } from './text-field.tsx'

/** A number with points between its thousands. */
const GROUPED = /^-?\d{1,3}(\.\d{3})+(,\d*)?$/

/** The number in a text with a decimal comma or point; 0 for anything else. */
function numberIn(text: string): number {
  const trimmed = text.trim()
  const plain = (GROUPED.test(trimmed) ? trimmed.replaceAll('.', '') : trimmed).replace(',', '.')
  const number = plain === '' ? 0 : Number(plain)
  return Number.isFinite(number) ? number : 0
}

/** Amounts have two decimals. What has more is shown as it is, so that its error can be understood. */
function textOf(value: number, decimals: boolean): string {
  const amount = value.toFixed(2)
  return (decimals && Number(amount) === value ? amount : String(value)).replace('.', ',')
}

type NumberFieldProps = Omit<
  ComponentProps<typeof TextField>,
  'type' | 'inputMode' | 'value' | 'onChange' | 'onBlur'
> & {
  value: number
  /** An amount, such as a price, instead of a whole number. */
  decimals?: boolean
  onChange: (value: number) => void
  onBlur?: () => void
}

/** A field for a number in Italian notation. A text that is no number counts as 0, and shows as such when left. */
export function NumberField({
  value,
  decimals = false,
  onChange,
  onBlur,
  ...rest
}: NumberFieldProps) {
  /** What is being typed; null when the field shows its value. */
  const [typed, setTyped] = useState<string | null>(null)
  // The value was changed by other means meanwhile.
  if (typed !== null && numberIn(typed) !== value) setTyped(null)
  return (
    <TextField
      {...rest}
      inputMode={decimals ? 'decimal' : 'numeric'}
      autoComplete="off"
      value={typed ?? textOf(value, decimals)}
      onChange={({ target }) => {
        setTyped(target.value)
        onChange(numberIn(target.value))
      }}
      onBlur={() => {
        setTyped(null)
        onBlur?.()
      }}
    />
  )
}
