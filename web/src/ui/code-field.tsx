import { type ComponentProps, useEffect, useRef } from 'react'
import { cn } from './class-names.ts'
import { TextField } from './text-field.tsx'

const DIGITS = 6

type CodeFieldProps = Omit<ComponentProps<typeof TextField>, 'value' | 'onChange' | 'ref'> & {
  value: string
  onChange: (digits: string) => void
  /** With the last digit, however it came: typed, pasted, filled in by the telephone. */
  onComplete: (code: string) => void
  /** It has the focus when it comes. */
  takesFocus?: boolean
}

/** For the six digits that an app shows. Spaces in what is pasted are left out. */
export function CodeField(props: CodeFieldProps) {
  const { value, onChange, onComplete, takesFocus, className, ...rest } = props
  const field = useRef<HTMLInputElement>(null)
  const { error } = rest
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])
  // What is wrong is typed over.
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
