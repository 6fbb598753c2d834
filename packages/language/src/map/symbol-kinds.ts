/** How to read the outline of a language: its grammar, and the nodes that declare something worth a line. */
export interface OutlineKind {
  /** `tree-sitter-<grammar>.wasm` of `@vscode/tree-sitter-wasm`. */
  grammar: string;
  /** Shown, and looked into for members if the type is in `containers`. */
  declarations: ReadonlySet<string>;
  containers: ReadonlySet<string>;
}

const types = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Wrappers around declarations, and their bodies: looked into, but not shown. */
export const WRAPPERS = types(`
  export_statement decorated_definition class_body interface_body enum_body block declaration_list field_declaration_list
  namespace_declaration namespace_definition body_statement mod_body ambient_declaration internal_module statement_block
  annotation_type_body linkage_specification template_declaration
`);

const SCRIPT = {
  declarations: types(`
    function_declaration generator_function_declaration class_declaration abstract_class_declaration interface_declaration
    type_alias_declaration enum_declaration lexical_declaration method_definition abstract_method_signature method_signature
    function_signature
  `),
  containers: types('class_declaration abstract_class_declaration interface_declaration'),
};
const PYTHON = { declarations: types('function_definition class_definition'), containers: types('class_definition') };
const GO = { declarations: types('function_declaration method_declaration type_declaration'), containers: types('') };
const RUST = {
  declarations: types('function_item struct_item enum_item trait_item impl_item mod_item macro_definition type_item'),
  containers: types('impl_item trait_item mod_item'),
};
const JAVA = {
  declarations: types(`
    class_declaration interface_declaration enum_declaration record_declaration method_declaration constructor_declaration
  `),
  containers: types('class_declaration interface_declaration record_declaration enum_declaration'),
};

/** By extension of file. */
export const OUTLINE_KINDS: Readonly<Record<string, OutlineKind>> = {
  '.ts': { grammar: 'typescript', ...SCRIPT },
  '.mts': { grammar: 'typescript', ...SCRIPT },
  '.cts': { grammar: 'typescript', ...SCRIPT },
  '.tsx': { grammar: 'tsx', ...SCRIPT },
  '.js': { grammar: 'javascript', ...SCRIPT },
  '.mjs': { grammar: 'javascript', ...SCRIPT },
  '.cjs': { grammar: 'javascript', ...SCRIPT },
  '.jsx': { grammar: 'javascript', ...SCRIPT },
  '.py': { grammar: 'python', ...PYTHON },
  '.go': { grammar: 'go', ...GO },
  '.rs': { grammar: 'rust', ...RUST },
  '.java': { grammar: 'java', ...JAVA },
};
