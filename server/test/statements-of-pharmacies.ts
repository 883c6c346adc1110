import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { distributed } from './distribution.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

const names = distributed.join('|')
const ofPharmacies = new RegExp(
  `\\b(?:selectFrom|insertInto|updateTable|deleteFrom|mergeInto|\\w+Join|from|using)\\(\\s*\\[?\\s*'(?:${names})\\b` +
    `|\\b(?:from|join|into|update|using)\\s+(?:only\\s+)?(?:${names})\\b` +
    '|\\b(?:record_visits|fold_analytics)\\(',
)

/**
 * Functions and parts of statements that name a distributed table and have no parameter for one pharmacy.
 * @returns names by file, both sorted
 */
export async function withoutPharmacy(): Promise<Record<string, string[]>> {
  const files = (await readdir(sources, { recursive: true })).filter(
    (file) =>
      /\.store\.ts$|^(platform|database)\/.*\.ts$/.test(file) &&
      !/\.test\.ts$|schema\.gen/.test(file),
  )
  const found: Record<string, string[]> = {}
  for (const file of files.sort()) {
    const text = await readFile(`${sources}${file}`, 'utf8')
    if (!ofPharmacies.test(text)) continue
    const inFile = new Set<string>()
    collect(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true), inFile)
    if (inFile.size > 0) found[file] = [...inFile].sort()
  }
  return found
}

function collect(node: ts.Node, found: Set<string>): void {
  const named = nameAndParameters(node)
  // What creates a store holds its functions, and is given no pharmacy.
  if (named && !named.name.startsWith('create')) {
    if (/pharmacy(?!Ids)/i.test(named.parameters)) return
    if (ofPharmacies.test(node.getText())) {
      found.add(named.name)
      return
    }
  }
  ts.forEachChild(node, (child) => collect(child, found))
}

/** Of a function, or of a named piece of SQL. */
function nameAndParameters(node: ts.Node): { name: string; parameters: string } | undefined {
  const parametersOf = (parameters: readonly ts.ParameterDeclaration[]) =>
    parameters.map((parameter) => parameter.getText()).join()
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) {
    return { name: node.name?.getText() ?? '', parameters: parametersOf(node.parameters) }
  }
  if (!ts.isVariableDeclaration(node) && !ts.isPropertyAssignment(node)) return undefined
  const { initializer } = node
  if (!initializer) return undefined
  const name = node.name.getText()
  if (ts.isArrowFunction(initializer)) {
    return { name, parameters: parametersOf(initializer.parameters) }
  }
  if (ts.isTaggedTemplateExpression(initializer)) return { name, parameters: '' }
  if (!ts.isCallExpression(initializer)) return undefined
  const [compiled] = initializer.arguments
  const parameters = compiled && ts.isArrowFunction(compiled) ? compiled.parameters : []
  return { name, parameters: parametersOf(parameters) }
}
