import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

type NativeSelectProps = ComponentProps<'select'> & { label: string }

/** A native `select` styled like the other controls. `label` is its `aria-label`. */
export function NativeSelect({ label, className, children, ...rest }: NativeSelectProps) {
  return (
    <span className={cn('relative inline-flex', className)}>
      <select
        aria-label={label}
        className={cn(
          'h-11 w-full appearance-none rounded-control border border-line-strong bg-surface py-0 pr-8',
          'pl-3 text-sm font-medium transition-colors duration-150 hover:bg-sunken md:h-9 pointer-coarse:h-11',
          'max-md:text-base',
        )}
        {...rest}
      >
        {children}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
