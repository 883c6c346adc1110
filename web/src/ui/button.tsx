import { cva, type VariantProps } from 'class-variance-authority'
import type { ComponentProps } from 'react'
import { cn } from './class-names.ts'

/** The looks of a button, for links that must look like one. */
export const buttonStyle = cva(
  [
    'inline-flex shrink-0 items-center justify-center gap-2 rounded-control font-medium select-none',
    'whitespace-nowrap transition-colors duration-150 disabled:opacity-55 [&_svg]:shrink-0',
  ],
  {
    variants: {
      look: {
        primary:
          'bg-accent text-on-accent enabled:hover:bg-accent-strong [a&]:hover:bg-accent-strong',
        secondary:
          'border border-line-strong bg-surface text-ink enabled:hover:bg-sunken [a&]:hover:bg-sunken',
        quiet: 'text-muted enabled:hover:bg-sunken enabled:hover:text-ink',
        link: 'text-accent underline-offset-4 enabled:hover:underline [a&]:hover:underline',
      },
      size: {
        small: 'h-8 px-2.5 text-[13px] [&_svg]:size-3.5',
        medium: 'h-11 px-3.5 text-sm md:h-9 md:px-3 [&_svg]:size-4',
        large: 'h-12 px-4 text-base [&_svg]:size-4.5',
        square: 'size-11 md:size-9 [&_svg]:size-4.5',
        bare: 'text-sm',
      },
    },
    defaultVariants: { look: 'secondary', size: 'medium' },
  },
)

type ButtonProps = ComponentProps<'button'> & VariantProps<typeof buttonStyle>

export function Button({ look, size, className, type = 'button', ...rest }: ButtonProps) {
  // oxlint-disable-next-line react/button-has-type -- one of the three, by its type
  return <button type={type} className={cn(buttonStyle({ look, size }), className)} {...rest} />
}
