ALTER TABLE "projects" ADD COLUMN "sample_rate" double precision;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "capture" text;