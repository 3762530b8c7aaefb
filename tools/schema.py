"""Write the JSON Schema of model files, src/dalembert/io/model-1.json, from the tables of the reader."""

from dalembert.io.schema import SCHEMA_FILE, schema_text

if __name__ == "__main__":
    SCHEMA_FILE.write_text(schema_text(), encoding="utf-8")
    print(f"Written: {SCHEMA_FILE}")
