import type { ReactNode } from 'react'
import { cn } from './class-names.ts'

type FieldProps = {
  /** Id of the control. */
  id: string
  label: string
  error?: string | undefined
  /** Help text below the control; replaced by an error. */
  hint?: string | undefined
  className?: string | undefined
  children: ReactNode
}

function noteId(id: string): string {
  return `${id}-note`
}

/** The `aria-describedby` of a control: its error or hint, and other descriptions. */
export function describedBy(id: string, noted: boolean, other?: string): string | undefined {
  return [noted ? noteId(id) : null, other].filter(Boolean).join(' ') || undefined
}

/** Classes of a text control. */
export function controlStyle(invalid: boolean): string {
  return cn(
    'w-full rounded-control border bg-surface px-3 text-base transition-colors read-only:bg-sunken placeholder:text-muted',
    invalid ? 'border-danger' : 'border-control hover:border-muted',
  )
}

/** A form control with its label above, and its error or hint below. */
export function Field({ id, label, error, hint, className, children }: FieldProps) {
  return (
    <div className={cn('flex flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-sm font-medium">
        {label}
      </label>
      {children}
      {error ? (
        <p id={noteId(id)} role="alert" className="text-sm text-danger">
          {error}
        </p>
      ) : hint ? (
        <p id={noteId(id)} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  )
}
