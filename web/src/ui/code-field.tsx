import { type ComponentProps, useEffect, useRef } from 'react'
import { cn } from './class-names.ts'
import { TextField } from './text-field.tsx'

const DIGITS = 6

type CodeFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'ref'> & {
  value: string
  onChange: (digits: string) => void
  /** Called with the last digit, whether it was typed, pasted or autofilled. */
  onComplete: (code: string) => void
  /** Focus the field when it is mounted. */
  takesFocus?: boolean
}

/** A field for the six digits of a TOTP code. Ignores spaces in pasted text. */
export function CodeField(props: CodeFieldProps) {
  const { value, onChange, onComplete, takesFocus, className, ...rest } = props
  const field = useRef<HTMLInputElement>(null)
  const { error } = rest
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  // The next input replaces a wrong code.
  useEffect(() => {
    if (error) field.current?.select()
  }, [error])

  function change(typed: string) {
    const digits = typed.replaceAll(/\D/g, '').slice(0, DIGITS)
    if (digits === value) return
    onChange(digits)
    if (digits.length === DIGITS) onComplete(digits)
  }

  return (
    <TextField
      ref={field}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoCapitalize="none"
      spellCheck={false}
      required
      className={cn('[&_input]:tracking-[0.2em] [&_input]:tabular-nums', className)}
      value={value}
      onChange={(event) => change(event.target.value)}
      {...rest}
    />
  )
}
