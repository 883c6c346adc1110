import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** Classes of a button, also for links that look like one. */
export const buttonStyle = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium select-none',
    'whitespace-nowrap transition-colors duration-150 aria-disabled:opacity-55 [&_svg]:shrink-0',
  ],
  {
    variants: {
      look: {
        primary: 'bg-accent text-on-accent not-aria-disabled:hover:bg-accent-strong',
        secondary:
          'border border-line-strong bg-surface text-ink not-aria-disabled:hover:bg-sunken aria-pressed:text-accent',
        quiet: [
          'text-muted not-aria-[current]:not-aria-disabled:hover:bg-sunken',
          'not-aria-[current]:not-aria-disabled:hover:text-ink',
          'aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent',
        ],
        /** For destructive actions in a dialog. */
        danger:
          'border border-danger-line bg-danger-soft text-danger not-aria-disabled:hover:bg-sunken',
        link: 'text-accent underline-offset-4 not-aria-disabled:hover:underline',
      },
      size: {
        small: 'h-8 px-2.5 text-sm pointer-coarse:h-11 [&_svg]:size-3.5',
        medium: 'h-11 px-3.5 text-sm md:h-9 md:px-3 pointer-coarse:h-11 [&_svg]:size-4',
        large: 'h-12 px-4 text-base [&_svg]:size-4.5',
        square: 'size-11 md:size-9 pointer-coarse:size-11 [&_svg]:size-4.5',
        bare: 'text-sm',
      },
    },
    defaultVariants: { look: 'secondary', size: 'medium' },
  },
)

type ButtonProps = Omit<ComponentProps<'button'>, 'disabled'> &
  VariantProps<typeof buttonStyle> & {
    /**
     * Looks disabled and ignores clicks, but keeps the focus. A `disabled` button would lose the focus to the top of
     * the page.
     */
    inactive?: boolean
  }

export function Button(props: ButtonProps) {
  const { look, size, className, type = 'button', inactive = false, onClick, ...rest } = props
  return (
    <button
      // oxlint-disable-next-line react/button-has-type -- one of the three, by its type
      type={type}
      className={cn(buttonStyle({ look, size }), className)}
      aria-disabled={inactive || undefined}
      // Prevents the default of a submit button, which also Enter in a field triggers: submitting the form.
      onClick={inactive ? (event) => event.preventDefault() : onClick}
      {...rest}
    />
  )
}
