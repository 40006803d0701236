import type { StepType, Tone } from '@throughline/contract';
import { type ReactNode, useMemo } from 'react';
import { formatToneColour, stepHue } from '../../../shell/theme/tones.ts';
import { WideTable } from '../../../ui/tables/wide-table.tsx';
import { PlotFrame } from '../frame/plot-frame.tsx';
import type { PlotTable } from '../frame/plot-table.ts';
import { labelWithin } from '../frame/svg-label.ts';
import { layOutArrows, layOutServices, SERVICE_CARD } from './service-layout.ts';
import classes from './service-map.module.css';

const MARGIN_PX = 12;
/** The distance in pixels between an arrow's label and the card at the arrow's end. */
const HEAD_PX = 14;
/** The size of the clickable area around an arrow's label; the label ends a little above the area's lower edge. */
const WORDS = { height: 24, width: 140, foot: 8 } as const;

export interface MapNode {
  readonly id: string;
  readonly name: string;
  /** The type of the node as a word, for its accessible title: `service`, or a step type such as `database`. */
  readonly kind: string;
  readonly type: StepType;
  /** At most two short lines: "1,204 requests", "2.1 % errors · 12 ms". */
  readonly facts: readonly string[];
  readonly failing: boolean;
}

export interface MapEdge {
  readonly source: string;
  readonly target: string;
  /** The label of the arrow: "12 / min · 1.2 %". */
  readonly text: string;
  readonly failing: boolean;
  /** The relative traffic along the arrow, from 0 to 1. */
  readonly weight: number;
}

interface ServiceMapProps {
  readonly label: string;
  readonly nodes: readonly MapNode[];
  readonly edges: readonly MapEdge[];
  readonly table: PlotTable;
  readonly empty?: string;
  /** Wraps a node in a link to the requests that the node counts; `edgeLink` wraps an arrow's label in the same way. */
  readonly link: (node: MapNode, drawn: ReactNode) => ReactNode;
  readonly edgeLink: (edge: MapEdge, drawn: ReactNode) => ReactNode;
}

/** A map of which service calls which, from left to right. */
export function ServiceMap({ label, nodes, edges, table, empty, link, edgeLink }: ServiceMapProps) {
  const layout = useMemo(() => layOutServices(nodes, edges), [nodes, edges]);
  const arrows = useMemo(() => layOutArrows(edges, layout.places), [edges, layout]);
  const findName = (id: string) => nodes.find((node) => node.id === id)?.name ?? id;
  const [width, height] = [layout.width + 2 * MARGIN_PX, layout.height + 2 * MARGIN_PX];
  return (
    <PlotFrame
      label={label}
      table={nodes.length === 0 ? { ...table, rows: [] } : table}
      {...(empty === undefined ? {} : { empty })}
    >
      <WideTable label={label} minWidth={width}>
        <svg
          data-plot
          width={width}
          height={height}
          viewBox={`${-MARGIN_PX} ${-MARGIN_PX} ${width} ${height}`}
          className={classes.map}
        >
          <title>{label}</title>
          <g aria-hidden>
            {arrows.map((arrow) => (
              <Arrow key={`${arrow.edge.source}\n${arrow.edge.target}`} {...arrow} />
            ))}
          </g>
          {nodes.map((node) => {
            const place = layout.places.get(node.id);
            return (
              place !== undefined && (
                <g key={node.id} transform={`translate(${place.x} ${place.y})`}>
                  {link(node, <Card node={node} height={place.height} />)}
                </g>
              )
            );
          })}
          {/* Drawn above the cards and all lines, so that no line crosses a label. */}
          {arrows.map((arrow) => (
            <g key={`${arrow.edge.source}\n${arrow.edge.target}`}>
              {edgeLink(
                arrow.edge,
                <ArrowWords
                  {...arrow}
                  title={`${findName(arrow.edge.source)} calls ${findName(arrow.edge.target)}: ${arrow.edge.text}`}
                />,
              )}
            </g>
          ))}
        </svg>
      </WideTable>
    </PlotFrame>
  );
}

type ArrowProps = ReturnType<typeof layOutArrows<MapEdge>>[number];

function Arrow({ edge, start, end }: ArrowProps) {
  const bend = Math.max(40, Math.abs(end.x - start.x) / 2);
  const tone: Tone = edge.failing ? 'red' : 'grey';
  const colour = formatToneColour(tone, 'fill');
  return (
    <g>
      <path
        d={`M${start.x} ${start.y}C${start.x + bend} ${start.y} ${end.x - bend} ${end.y} ${end.x - 6} ${end.y}`}
        fill="none"
        stroke={colour}
        strokeWidth={1 + 3 * edge.weight}
        strokeDasharray={edge.failing ? '6 3' : undefined}
      />
      <path d={`M${end.x - 9} ${end.y - 5}L${end.x} ${end.y}L${end.x - 9} ${end.y + 5}Z`} fill={colour} />
    </g>
  );
}

/**
 * Draws the label above the end of the arrow, or above the middle of a backward arrow, since there may be no space to the left of a
 * backward arrow's end.
 */
function ArrowWords({ edge, start, end, title }: ArrowProps & { readonly title: string }) {
  const isBack = end.x <= start.x;
  const x = isBack ? (start.x + end.x) / 2 : end.x - HEAD_PX;
  const y = isBack ? (start.y + end.y) / 2 - 6 : end.y - 4;
  return (
    <>
      <title>{title}</title>
      <rect
        x={isBack ? x - WORDS.width / 2 : x - WORDS.width}
        y={y + WORDS.foot - WORDS.height}
        width={WORDS.width}
        height={WORDS.height}
        className={classes.press}
      />
      <text x={x} y={y} textAnchor={isBack ? 'middle' : 'end'} className={classes.edge}>
        {edge.text}
      </text>
    </>
  );
}

function Card({ node, height }: { readonly node: MapNode; readonly height: number }) {
  const { width } = SERVICE_CARD;
  return (
    <>
      <title>{`${node.name}, ${node.kind}: ${node.facts.join(', ')}`}</title>
      <rect
        width={width}
        height={height}
        rx={6}
        className={classes.card}
        stroke={node.failing ? formatToneColour('red', 'fill') : 'var(--surface-control)'}
      />
      <rect width={4} height={height - 12} x={6} y={6} rx={2} fill={stepHue(node.type)} />
      <text x={18} y={20} className={classes.name}>
        {labelWithin(node.name, width - 28)}
      </text>
      {node.facts.slice(0, 2).map((fact, place) => (
        <text key={fact} x={18} y={38 + place * 16} className={classes.fact}>
          {fact}
        </text>
      ))}
    </>
  );
}
