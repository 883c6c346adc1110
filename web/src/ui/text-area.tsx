import { type ComponentProps, useId, useLayoutEffect, useRef } from 'react'
import { cn } from './class-names.ts'
import { controlStyle, describedBy, Field } from './field.tsx'

/** Characters left below which the count is shown, and announced to screen readers. */
const SHOW_COUNT_BELOW = 100
const ANNOUNCE_BELOW = 20

type TextAreaProps = Omit<ComponentProps<'textarea'>, 'value' | 'maxLength'> & {
  label: string
  value: string
  /** A longer text can be entered, and is reported as an error: a pasted text is not cut off silently. */
  maxCharacters: number
  error?: string | undefined
  hint?: string | undefined
}

function tooLong(left: number): string | undefined {
  if (left >= 0) return undefined
  return left === -1 ? 'Un carattere di troppo' : `${-left} caratteri di troppo`
}

/** A multi-line field that grows with its content. */
export function TextArea(props: TextAreaProps) {
  const { label, value, maxCharacters, error, hint, className, ...rest } = props
  const id = useId()
  const container = useRef<HTMLDivElement>(null)
  const measured = useRef<string | null>(null)
  useLayoutEffect(() => {
    const area = container.current?.querySelector('textarea')
    if (!area || measured.current === value) return
    measured.current = value
    area.style.height = 'auto'
    // `scrollHeight` does not include the borders.
    area.style.height = `${area.scrollHeight + 2}px`
  }, [value])
  const left = maxCharacters - value.length
  const wrong = error ?? tooLong(left)
  return (
    <Field id={id} label={label} error={wrong} hint={hint} className={className}>
      <div ref={container} className="relative">
        <textarea
          id={id}
          rows={2}
          value={value}
          aria-invalid={wrong ? true : undefined}
          className={cn(
            'block max-h-80 min-h-20 resize-none overflow-y-auto py-2',
            controlStyle(Boolean(wrong)),
          )}
          {...rest}
          aria-describedby={describedBy(id, Boolean(wrong || hint), rest['aria-describedby'])}
        />
        {left >= 0 && left <= SHOW_COUNT_BELOW ? (
          <p
            aria-hidden
            className="absolute right-2 bottom-1 rounded bg-surface px-1 text-xs text-muted tabular-nums"
          >
            {value.length}/{maxCharacters}
          </p>
        ) : null}
        <p role="status" className="sr-only">
          {left >= 0 && left <= ANNOUNCE_BELOW ? `Caratteri rimasti: ${left}` : ''}
        </p>
      </div>
    </Field>
  )
}
