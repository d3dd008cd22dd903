import { maxTextLength } from '../../runtime/kernel/model/limits.ts';
import { type Expression, type Field, mayBeNull, type Resource } from '../model/model.ts';
import { withArticle } from '../model/names.ts';
import { fieldTypeRow } from '../model/field-types.ts';
import { ExpressionChecker } from './checker.ts';
import type { Checker, Report, Scope, Variable } from './checking.ts';
import { allIn, call, type Code, code } from './code.ts';
import { type Facts, nothing, type Operand, partOf } from './operand.ts';
import { asNumber, scaleOf } from './numbers.ts';
import { onOneLine, parseExpression } from './parse.ts';
import { isNumeric, nounOf, type Type, typeOf } from './types.ts';

/** The fields of a resource, as expressions see them. */
export const variablesOf = (
  fields: readonly Field[],
  resource: Pick<Resource, 'kind'>,
): ReadonlyMap<string, Variable> =>
  new Map(
    fields.map((field) => [
      field.name,
      {
        type: typeOf(field),
        canBeNull: mayBeNull(field, resource),
        isComputed: field.computed !== undefined,
        ...(field.type === 'reference' && { references: field.resource }),
      },
    ]),
  );

interface Checked {
  readonly checker: Checker;
  readonly value: Operand;
}

function checkText(
  text: string,
  scope: Scope,
  report: Report,
  facts: Facts,
  isCondition: boolean,
): Checked | undefined {
  const node = parseExpression(text);
  if (!('op' in node)) {
    report(node.span, node.message);
    return undefined;
  }
  const checker = new ExpressionChecker(scope, report);
  const value = isCondition ? checker.condition(node, facts) : checker.check(node, facts);
  return value && { checker, value };
}

const expressionOf = (text: string, { checker, value }: Checked, made: Code = value.code): Expression => {
  const names = new Set(allIn(made).flatMap((part) => ('name' in part ? [part.name] : [])));
  return {
    text: onOneLine(text),
    code: made,
    fields: [...names].filter((name) => checker.scope.fields.has(name)),
    totals: Object.fromEntries(checker.totals),
  };
};

/** A condition, and the facts that are known if it holds. */
export interface Condition {
  readonly expression: Expression;
  readonly ifTrue: Facts;
}

/**
 * Compiles an expression that is true or false.
 *
 * @param facts what is known before, as from the `when` of a rule
 * @returns undefined after a report of an error
 */
export function compileCondition(text: string, scope: Scope, report: Report, facts = nothing): Condition | undefined {
  const checked = checkText(text, scope, report, facts, true);
  if (!checked) return undefined;
  const expression = expressionOf(text, checked);
  const isConstant = !allIn(expression.code).some(
    (part) => 'name' in part || 'total' in part || 'reference' in part || isTime(part),
  );
  if (isConstant) report([0, text.length], 'this names no field, so it is always the same', 'warning');
  return { expression, ifTrue: checked.value.ifTrue };
}

/** Whether a part of an expression is the time of the write. */
export const isTime = (part: Code): boolean => 'text' in part && part.text === 'time';

/**
 * Compiles an expression whose value a field holds.
 *
 * @returns undefined after a report of an error
 */
export function compileValue(text: string, scope: Scope, field: Field, report: Report): Expression | undefined {
  const checked = checkText(text, scope, report, nothing, false);
  if (!checked) return undefined;
  const { checker, value } = checked;
  if (value.canBeNull && !field.nullable) {
    const hint = value.name === undefined ? '' : `; write ${value.name} == null ? … : ${value.name}`;
    return checker.refuse(value.node, `this may be null, and ${field.name} may not${hint}`);
  }
  const fitted = fit(value, field);
  if (typeof fitted === 'string') return checker.refuse(value.node, fitted);
  return expressionOf(text, checked, fitted);
}

const nullCode = { text: 'null' };

/** Converts a value unless it is null: of a choice, each result, so that it is made once. */
function unlessNull(made: Code, convert: (value: Code) => Code): Code {
  if ('test' in made) return { ...made, yes: unlessNull(made.yes, convert), no: unlessNull(made.no, convert) };
  if ('text' in made && made.text === nullCode.text) return made;
  // All else takes no null.
  if (!('name' in made || 'total' in made)) return convert(made);
  return { test: { left: made, operator: '===', right: nullCode }, yes: nullCode, no: convert(made) };
}

/** The keys of a field whose values are of another type. */
const writtenTypes: { readonly [is in Type['is']]?: string } = {
  int: 'type: integer',
  double: 'type: number',
  bool: 'type: boolean',
  date: 'format: date',
  timestamp: 'format: date-time',
};

export const writtenType = (type: Type): string | undefined =>
  type.is === 'decimal'
    ? `type: decimal, digits: ${Math.max(12, type.scale)}, scale: ${type.scale}`
    : writtenTypes[type.is];

/** The value as a field holds it, or why it does not. */
function fit(value: Operand, field: Field): Code | string {
  const { type, code: made, canBeNull } = value;
  const isUnstated = field.type === 'text' || (isNumeric(type) && isNumeric(typeOf(field)));
  const written = isUnstated ? writtenType(type) : undefined;
  let hint = written === undefined ? '' : `; write ${written}`;
  if (type.is === 'duration') hint = '; write days(from, to) of its ends, or divide it by one like duration("1h")';
  const wrong = `this is ${nounOf(type)}, and ${field.name} is ${withArticle(fieldTypeRow(field).noun)}${hint}`;
  const converted = (convert: (value: Code) => Code): Code => (canBeNull ? unlessNull(made, convert) : convert(made));
  switch (field.type) {
    case 'integer':
      return type.is === 'int' ? converted((number) => call('integer', number)) : wrong;
    case 'number':
      return type.is === 'int' ? made : type.is === 'double' ? converted((number) => call('finite', number)) : wrong;
    case 'boolean':
      return type.is === 'bool' ? made : wrong;
    case 'date':
      return type.is === 'date' ? made : wrong;
    case 'date-time':
      return type.is === 'timestamp' ? made : wrong;
    case 'decimal': {
      const scale = scaleOf(value);
      if (scale === undefined) return wrong;
      if (scale > field.scale) {
        return `${partOf(value, 'this')} has ${scale} decimals, and ${field.name} has ${field.scale}; write round(…, ${field.scale})`;
      }
      return converted((number) => {
        const exact = asNumber({ ...value, code: number }, { is: 'decimal', scale });
        return call('decimal.fit', exact, code(field.digits), code(field.scale));
      });
    }
    case 'enum': {
      if (type.is !== 'string') return wrong;
      const strange = type.values?.filter((text) => !field.values.includes(text));
      if (strange?.length === 0) return made;
      return `${field.name} is an enum, and this can have another value${strange ? `, ${JSON.stringify(strange[0])}` : ''}`;
    }
    case 'text':
      if (type.is !== 'string') return wrong;
      return converted((text) => call('fitText', text, code(field.maxLength ?? maxTextLength)));
    default:
      return `${field.name} is ${withArticle(fieldTypeRow(field).noun)}, which cannot be computed`;
  }
}
